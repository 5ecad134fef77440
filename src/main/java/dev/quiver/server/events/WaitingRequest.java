package dev.quiver.server.events;

import dev.quiver.server.transfer.Exchange;
import dev.quiver.store.catalog.VersionWatch;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A request that waits without a thread, until it is dispatched again.
final class WaitingRequest {

  private final HttpServletRequest request;
  private final Consumer<WaitingRequest> ended;
  private final Consumer<Runnable> dispatcher;
  private @Nullable AsyncContext context;
  private VersionWatch.@Nullable Registration registration;
  private @Nullable Future<?> timeout;
  private boolean isEnded;

  /// @param ended called once the request waits no longer
  /// @param dispatcher dispatches the request now or soon
  WaitingRequest(
      HttpServletRequest request, Consumer<WaitingRequest> ended, Consumer<Runnable> dispatcher) {
    this.request = request;
    this.ended = ended;
    this.dispatcher = dispatcher;
  }

  /// Lets go of the thread of the request, once it returns from its handler.
  ///
  /// @param listener called when the request completes without another wait, or null
  synchronized void start(HttpServletResponse response, @Nullable AsyncListener listener) {
    try {
      AsyncContext started = request.startAsync(request, response);
      // The wait has a time of its own.
      started.setTimeout(0);
      if (listener != null) {
        started.addListener(listener);
      }
      context = started;
      Exchange.of(request).whenClosedByClient(this::end);
    } finally {
      if (context == null) {
        end();
      }
    }
  }

  /// Ends the wait at a change, until it has ended.
  synchronized void waitFor(VersionWatch.Registration change) {
    registration = change;
    if (isEnded) {
      change.close();
    }
  }

  /// Ends the wait at a time, until it has ended.
  synchronized void waitFor(Future<?> time) {
    timeout = time;
    if (isEnded) {
      time.cancel(/* mayInterruptIfRunning= */ false);
    }
  }

  /// Continues. The request may wait again.
  void proceed() {
    dispatch(/* over= */ false);
  }

  /// Continues with the end of the response.
  void end() {
    dispatch(/* over= */ true);
  }

  private synchronized void dispatch(boolean over) {
    if (isEnded) {
      return;
    }
    isEnded = true;
    if (registration != null) {
      registration.close();
    }
    if (timeout != null) {
      timeout.cancel(/* mayInterruptIfRunning= */ false);
    }
    ended.accept(this);
    if (over) {
      RequestWaits.of(request).end();
    }
    if (context != null) {
      dispatcher.accept(context::dispatch);
    }
  }
}
