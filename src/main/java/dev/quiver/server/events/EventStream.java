package dev.quiver.server.events;

import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.Json;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.transfer.ResponseAbortedException;
import dev.quiver.server.transfer.TransferRateGuard;
import dev.quiver.store.catalog.VersionCursor;
import dev.quiver.store.version.VersionChange;
import dev.quiver.store.version.VersionSummary;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The versions of a dataset as server-sent events.
///
/// It remembers a place in the history of the dataset, and no event: versions are read when the
/// client accepts more. A client that accepts nothing is aborted by the same limits as a slow
/// download, which count only the time in which there is something to send.
final class EventStream {

  private static final Logger LOG = System.getLogger(EventStream.class.getName());
  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.US_ASCII);

  /// The events of a long history are sent in steps.
  private static final int STEP_BYTES = 8 << 10;

  private final WaitingRequests waitingRequests;
  private final Permit place;
  private final VersionCursor cursor;
  private final TransferRateGuard guard;
  private final long quietNanos;
  private volatile VersionSummary latest;
  private volatile ListenerTurns.@Nullable Turn turn;
  private long sentNanos = System.nanoTime();

  /// @param place left when the stream ends
  /// @param latest the version up to which events can be sent now
  /// @param quiet the time after which a silent stream gets a comment
  EventStream(
      WaitingRequests waitingRequests,
      Permit place,
      VersionCursor cursor,
      VersionSummary latest,
      RequestLimits limits,
      Duration quiet,
      HttpServletRequest request) {
    this.waitingRequests = waitingRequests;
    this.place = place;
    this.cursor = cursor;
    this.latest = latest;
    this.guard = TransferRateGuard.ofDownload(limits, request);
    this.quietNanos = quiet.toNanos();
    RequestWaits.of(request).start(this);
  }

  /// Returns the version after which the stream waits.
  VersionSummary seen() {
    return cursor.seen();
  }

  /// Notes that a later version can be sent.
  void changed(VersionSummary later) {
    latest = later;
  }

  /// Notes the turn in which [#proceed] is called next.
  void starts(ListenerTurns.Turn next) {
    turn = next;
  }

  /// Sends what has happened, and lets the request wait for more. Otherwise the stream ends: after
  /// a delete, when the client closes its side of the connection, and when the service stops.
  ///
  /// @throws ResponseAbortedException if the client has left or is too slow, or if the history
  ///   cannot be read after the first event
  void proceed(HttpServletRequest request, HttpServletResponse response) throws IOException {
    ListenerTurns.Turn current = turn;
    boolean waits = false;
    try {
      if (!waitingRequests.isOver(request) && sendChanges(response)) {
        waitingRequests.await(this, request, response, sentNanos + quietNanos - System.nanoTime());
        waits = true;
      }
    } finally {
      if (!waits) {
        place.close();
      }
      if (current != null) {
        current.end();
      }
    }
  }

  /// @return whether more can follow
  private boolean sendChanges(HttpServletResponse response) throws IOException {
    ByteArrayOutputStream events = new ByteArrayOutputStream();
    VersionChange change = next(response);
    while (change != null) {
      events.writeBytes(event(change));
      if (change.isDelete()) {
        send(events, response);
        return false;
      }
      if (events.size() >= STEP_BYTES) {
        send(events, response);
      }
      change = next(response);
    }
    if (response.isCommitted() && System.nanoTime() - sentNanos >= quietNanos) {
      events.writeBytes(COMMENT);
    }
    if (events.size() > 0 || !response.isCommitted()) {
      send(events, response);
    }
    return true;
  }

  private @Nullable VersionChange next(HttpServletResponse response) throws IOException {
    try {
      return cursor.next(latest);
    } catch (IOException | RuntimeException e) {
      if (!response.isCommitted()) {
        throw e;
      }
      LOG.log(Level.WARNING, "Events of " + seen().name() + " end: " + e.getMessage());
      throw new ResponseAbortedException("The next version is unknown");
    }
  }

  private static byte[] event(VersionChange change) {
    ByteArrayOutputStream event = new ByteArrayOutputStream();
    event.writeBytes(
        "event: version\nid: %d\ndata: "
            .formatted(change.summary().version())
            .getBytes(StandardCharsets.US_ASCII));
    event.writeBytes(Json.render(Documents.VersionEvent.of(change)));
    event.write('\n');
    return event.toByteArray();
  }

  private void send(ByteArrayOutputStream events, HttpServletResponse response) throws IOException {
    guard.startWaiting(events.size());
    try {
      events.writeTo(response.getOutputStream());
      response.flushBuffer();
    } catch (IOException connectionLost) {
      LOG.log(Level.DEBUG, "A client went away", connectionLost);
      throw new ResponseAbortedException("The client went away");
    } finally {
      guard.endWaiting();
    }
    guard.count(events.size());
    events.reset();
    sentNanos = System.nanoTime();
    String violation = guard.violation();
    if (violation != null) {
      throw new ResponseAbortedException(violation);
    }
  }

  /// Returns a listener by which the place is left even if the container ends the request.
  AsyncListener listener() {
    return new AsyncListener() {
      @Override
      public void onComplete(AsyncEvent event) {
        place.close();
      }

      @Override
      public void onError(AsyncEvent event) {
        place.close();
      }

      @Override
      public void onTimeout(AsyncEvent event) {
        // A stream has no timeout.
      }

      @Override
      public void onStartAsync(AsyncEvent event) {
        // The next wait has a listener of its own.
      }
    };
  }
}
