package dev.quiver.server.events;

import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.store.catalog.VersionCursor;
import dev.quiver.store.version.VersionSummary;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;

/// The responses that report versions as they are committed: server-sent events (HTML standard
/// §9.2). Each has a place among the [WaitingRequests] until it ends, and no thread while nothing
/// happens.
public final class EventStreams {

  public static final String MEDIA_TYPE = "text/event-stream";

  /// Proxies and browsers close connections that are silent for longer than a minute or so.
  public static final Duration QUIET = Duration.ofSeconds(15);

  private final WaitingRequests waitingRequests;
  private final RequestLimits limits;
  private final Duration quiet;

  /// @param quiet the time after which a silent stream gets a comment
  public EventStreams(
      WaitingRequests waitingRequests, QuiverProperties properties, Duration quiet) {
    this.waitingRequests = waitingRequests;
    this.limits = properties.limits();
    this.quiet = quiet;
  }

  /// Continues the stream of a request that was dispatched again.
  ///
  /// @return false if the request has none, since it is new
  public boolean proceed(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    EventStream stream = RequestWaits.of(request).stream();
    if (stream == null) {
      return false;
    }
    stream.proceed(request, response);
    return true;
  }

  /// Starts a stream. A HEAD gets its header.
  ///
  /// @param latest the latest version
  /// @throws OverloadedException if too many requests wait
  public void start(
      VersionCursor cursor,
      VersionSummary latest,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    boolean hasBody = !request.getMethod().equals("HEAD");
    Permit place = hasBody ? waitingRequests.enter() : null;
    response.setContentType(MEDIA_TYPE);
    response.setHeader("Cache-Control", "no-store");
    // Over HTTP/1.0, nginx would otherwise collect events before it passes them on.
    response.setHeader("X-Accel-Buffering", "no");
    if (place == null) {
      response.flushBuffer();
    } else {
      new EventStream(waitingRequests, place, cursor, latest, limits, quiet, request)
          .proceed(request, response);
    }
  }
}
