package dev.quiver.server.events;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// The state of a request that waits without a thread, from one of its waits to the next.
final class RequestWaits {

  private static final String ATTRIBUTE = RequestWaits.class.getName();

  private final long startNanos = System.nanoTime();
  private volatile boolean isOver;
  private @Nullable EventStream stream;

  /// Returns the waits of a request, which begin with the first call.
  static RequestWaits of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof RequestWaits known) {
      return known;
    }
    RequestWaits begun = new RequestWaits();
    request.setAttribute(ATTRIBUTE, begun);
    return begun;
  }

  /// Returns when the first wait began, as of [System#nanoTime].
  long startNanos() {
    return startNanos;
  }

  /// Returns whether the request must not wait any longer.
  boolean isOver() {
    return isOver;
  }

  void end() {
    isOver = true;
  }

  /// Returns the stream of events that the request gets, or null if it has none yet.
  @Nullable EventStream stream() {
    return stream;
  }

  void start(EventStream begun) {
    stream = begun;
  }
}
