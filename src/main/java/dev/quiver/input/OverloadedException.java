package dev.quiver.input;

/// There is no room for an input that is not too large by itself: others take it for the moment.
public final class OverloadedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /// @param what what is counted, in the plural, such as `bytes in flight`
  public OverloadedException(Limit limit, String what) {
    super(
        "Expected at most %d %s (%s) but found more, with those of other requests"
            .formatted(limit.maximum(), what, limit.key()));
  }
}
