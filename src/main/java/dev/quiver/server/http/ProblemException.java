package dev.quiver.server.http;

/// Signals that the response to a request is a problem.
public final class ProblemException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient Problem problem;

  ProblemException(Problem problem) {
    super(problem.detail());
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
