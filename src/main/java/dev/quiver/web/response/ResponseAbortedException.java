package dev.quiver.web.response;

import org.apache.coyote.CloseNowException;

/// A response that cannot be finished after its status was sent; the connection closes.
///
/// Tomcat closes without appending anything. No advice may handle this, for returning with a short
/// body would let the next response on the connection land inside this one. There is no cause:
/// Spring would look for an advice that handles the cause.
final class ResponseAbortedException extends CloseNowException {

  private static final long serialVersionUID = 1;

  ResponseAbortedException(String message) {
    super(message);
  }
}
