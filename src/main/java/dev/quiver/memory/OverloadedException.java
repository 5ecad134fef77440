package dev.quiver.memory;

/// There is no room for an input that is not too large by itself: others take it for the moment.
public final class OverloadedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  OverloadedException(Limit limit) {
    super(
        "Expected at most %d bytes in flight (%s) but found more, with those of other requests"
            .formatted(limit.maximum(), limit.key()));
  }
}
