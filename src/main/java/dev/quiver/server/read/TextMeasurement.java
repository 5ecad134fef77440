package dev.quiver.server.read;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.text.TextBlocks;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The length of one text while requests learn it, so that they share one rendering.
///
/// A request that needs the length renders the text without sending it, and all others wait for its
/// result. While a response renders the same text for its own client, they wait for that instead,
/// unless its client is slow. A rendering ends early if no request waits for its result anymore.
/// Shared by threads.
final class TextMeasurement {

  /// The time after which a waiting request checks again whether its client has left.
  private static final long CLIENT_CHECK_MILLIS = 250;

  private final long patienceNanos;

  /// The requests that wait for the length, including the one that renders.
  private int waiting;

  private boolean rendering;

  /// The responses that render the text for their clients.
  private final List<TextStream> streams = new ArrayList<>();

  private @Nullable TextBlocks blocks;
  private @Nullable Throwable failure;

  /// A rendering of the text by which its length is learned.
  interface Rendering {

    /// @return the length, or null if it ended early
    @Nullable TextBlocks run(Progress progress) throws IOException;
  }

  /// The control of a rendering.
  interface Progress {

    /// Returns whether the rendering is still needed. May wait for another rendering.
    ///
    /// @param early whether most of the work is still to be done
    boolean shouldContinue(boolean early) throws IOException;
  }

  /// A request that waits for the length. Guarded by the measurement.
  private final class Request {

    private final Cancellation cancellation = Cancellation.current();
    private boolean left;

    boolean isWaiting() {
      if (!left && cancellation.isRequested()) {
        leave();
      }
      return !left;
    }

    void leave() {
      if (!left) {
        left = true;
        waiting--;
      }
    }
  }

  TextMeasurement(Duration patience) {
    this.patienceNanos = patience.toNanos();
  }

  /// Returns the length, or null if the client went away first.
  @Nullable TextBlocks await(Rendering own) throws IOException {
    Request request = enter();
    try {
      return takesTurn(request) ? render(own, request) : result();
    } finally {
      leave(request);
    }
  }

  private synchronized Request enter() {
    waiting++;
    return new Request();
  }

  private synchronized void leave(Request request) {
    request.leave();
  }

  /// Waits for a result, and returns true if this request has to render the text itself.
  private synchronized boolean takesTurn(Request request) throws InterruptedIOException {
    while (!isOver() && (rendering || hasFastStream())) {
      if (!request.isWaiting()) {
        return false;
      }
      awaitChange();
    }
    boolean isTurn = !isOver();
    rendering |= isTurn;
    return isTurn;
  }

  private @Nullable TextBlocks render(Rendering own, Request request) throws IOException {
    try {
      TextBlocks rendered =
          Cancellation.when(() -> isUnwanted(request))
              .call(() -> own.run(early -> shouldContinue(request, early)));
      synchronized (this) {
        blocks = blocks == null ? rendered : blocks;
        return blocks;
      }
    } catch (InterruptedIOException | CancelledException e) {
      // Another request renders instead.
      throw e;
    } catch (IOException | RuntimeException | Error e) {
      synchronized (this) {
        failure = e;
      }
      throw e;
    } finally {
      synchronized (this) {
        rendering = false;
        notifyAll();
      }
    }
  }

  /// Returns whether no request waits for the length anymore.
  private synchronized boolean isUnwanted(Request rendering) {
    return !rendering.isWaiting() && waiting == 0;
  }

  private synchronized boolean shouldContinue(Request request, boolean early)
      throws InterruptedIOException {
    request.isWaiting();
    while (early && !isOver() && waiting > 0 && hasFastStream()) {
      awaitChange();
      request.isWaiting();
    }
    return !isOver() && waiting > 0;
  }

  /// Notes that a response begins to render the text from its start.
  synchronized void begin(TextStream stream) {
    streams.add(stream);
  }

  /// Notes that a response has rendered the text.
  ///
  /// @param rendered the length, or null if the response failed
  synchronized void end(TextStream stream, @Nullable TextBlocks rendered) {
    streams.remove(stream);
    blocks = blocks == null ? rendered : blocks;
    notifyAll();
  }

  /// Returns whether a response is likely to measure the length soon.
  private boolean hasFastStream() {
    return streams.stream().anyMatch(stream -> !stream.isSlow(patienceNanos));
  }

  private boolean isOver() {
    return blocks != null || failure != null;
  }

  private synchronized @Nullable TextBlocks result() throws IOException {
    return switch (failure) {
      case null -> blocks;
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new AssertionError(failure);
    };
  }

  private void awaitChange() throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.timedWait(this, CLIENT_CHECK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}
