package dev.quiver.server.transfer;

import org.apache.coyote.CloseNowException;

/// Reports that a response cannot be finished after its status was sent; the connection closes.
///
/// Tomcat closes without appending anything. No advice may handle this exception: if it returned
/// after a short body, the next response on the connection would land inside this one. The
/// exception has no cause, since Spring would look for an advice that handles the cause.
public final class ResponseAbortedException extends CloseNowException {

  private static final long serialVersionUID = 1;

  public ResponseAbortedException(String message) {
    super(message);
  }
}
