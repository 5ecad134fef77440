package dev.quiver.arrow.parallel;

import dev.quiver.arrow.memory.Limit;

/// Thrown when an acceptable input does not fit into memory beside other requests.
public final class OverloadedException extends RuntimeException {

  private static final long serialVersionUID = 1;

  /// @param message what was expected and what was found
  public OverloadedException(String message) {
    super(message);
  }

  /// @param what the plural noun of the counted items, such as `bytes in flight`
  public OverloadedException(Limit limit, String what) {
    this(sentence(limit, what));
  }

  /// Returns the message about too many items.
  ///
  /// @param what the plural noun of the counted items, such as `bytes in flight`
  public static String sentence(Limit limit, String what) {
    return "Expected at most %d %s (%s) but found more, with those of other requests"
        .formatted(limit.maximum(), what, limit.name());
  }
}
