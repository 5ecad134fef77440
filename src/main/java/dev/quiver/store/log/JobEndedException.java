package dev.quiver.store.log;

/// Thrown within the work of a job that was cancelled or lost.
public final class JobEndedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  JobEndedException() {
    super("Expected a job that is wanted but found one that was cancelled or lost");
  }
}
