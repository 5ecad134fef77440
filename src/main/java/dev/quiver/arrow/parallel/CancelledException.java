package dev.quiver.arrow.parallel;

/// Thrown by work that ends early, since its result is no longer wanted.
public final class CancelledException extends RuntimeException {

  private static final long serialVersionUID = 1;

  public CancelledException() {
    super("The work was cancelled: its result is no longer wanted");
  }
}
