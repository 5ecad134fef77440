package dev.quiver.server.transfer;

import dev.quiver.server.http.Problem;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// A request and its response on their connection, until the response is complete.
///
/// [ConnectionValve] begins it. In a container without that valve, an exchange has neither a
/// connection nor a watch, and bodies pass through the container's buffers.
public final class Exchange {

  private static final String ATTRIBUTE = Exchange.class.getName();

  private @Nullable ConnectionWatch watch;
  private @Nullable IncomingBody body;
  private @Nullable ClientConnection connection;
  private @Nullable TransferRateGuard upload;
  private @Nullable Problem problem;
  private @Nullable Pace pace;
  private boolean isInputLost;

  /// Returns the exchange of a request.
  public static Exchange of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof Exchange known) {
      return known;
    }
    Exchange begun = new Exchange();
    request.setAttribute(ATTRIBUTE, begun);
    return begun;
  }

  /// Begins an exchange on a connection, or continues one whose request has waited.
  ///
  /// @param connectionWatch the watch of the connection, or null if nothing watches it
  /// @param incoming the body of the request without Tomcat's buffers, or null if unavailable
  /// @param direct the connection without Tomcat's buffers, or null if unavailable
  void begin(
      @Nullable ConnectionWatch connectionWatch,
      @Nullable IncomingBody incoming,
      @Nullable ClientConnection direct) {
    watch = connectionWatch;
    body = incoming;
    connection = direct;
  }

  /// Returns the body of the request, or null if only Tomcat can read it.
  public @Nullable IncomingBody body() {
    return body;
  }

  /// Returns the connection, or null if only Tomcat can write to it.
  public @Nullable ClientConnection connection() {
    return connection;
  }

  /// Notifies a request that waits without a thread that its client has closed its side of the
  /// connection.
  ///
  /// @param told called at most once, by another thread
  public void whenClosedByClient(Runnable told) {
    if (watch != null) {
      watch.whenClosedByClient(told);
    }
  }

  void watchUpload(TransferRateGuard guard) {
    upload = guard;
    if (watch != null) {
      watch.watchUpload(guard);
    }
  }

  void watchDownload(TransferRateGuard guard) {
    if (watch != null) {
      watch.watchDownload(guard);
    }
  }

  /// Returns how many bytes of the request's body have arrived, or 0 if nothing has read it.
  public long receivedByteCount() {
    return upload == null ? 0 : upload.byteCount();
  }

  /// Returns the pace of the response's body, or null if it has no limit.
  @Nullable Pace pace() {
    return pace;
  }

  public void setPace(@Nullable Pace ofPrincipal) {
    pace = ofPrincipal;
  }

  /// Reports a problem once Tomcat responds to a request whose body has ended early.
  public void report(Problem known) {
    problem = known;
  }

  /// Returns the problem to report, or null if unknown.
  @Nullable Problem problem() {
    return problem;
  }

  /// Leaves the rest of the request's body unread, as nothing can be read from the connection any
  /// more.
  void loseInput() {
    isInputLost = true;
  }

  boolean isInputLost() {
    return isInputLost;
  }
}
