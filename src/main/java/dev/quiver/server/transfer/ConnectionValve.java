package dev.quiver.server.transfer;

import dev.quiver.arrow.parallel.Cancellation;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.tomcat.util.net.ApplicationBufferHandler;

/// Begins an [Exchange] for each request, with its [ClientConnection] and its [IncomingBody], and
/// tells the [ConnectionWatch] where the request begins and ends. The work of a request is
/// cancelled once its client leaves. A HEAD gets no connection, so that no body can be sent by
/// mistake.
public final class ConnectionValve extends ValveBase {

  private final boolean writes;

  /// Creates a valve that also supports asynchronous requests.
  ///
  /// @param writes whether connections may be written to directly
  public ConnectionValve(boolean writes) {
    super(/* asyncSupported= */ true);
    this.writes = writes;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    Object note = request.getCoyoteRequest().getNote(DirectHttp11Processor.NOTE);
    if (note instanceof DirectHttp11Processor processor) {
      if (processor.isRejected()) {
        // Otherwise Tomcat would have the request handled all the same.
        response.sendError(response.getStatus());
        getNext().invoke(request, response);
        return;
      }
      // A request that Tomcat rejects may lack a method.
      boolean direct = writes && !"HEAD".equals(request.getMethod());
      ConnectionWatch watch = processor.watch();
      Exchange exchange = Exchange.of(request);
      exchange.begin(watch, processor.body(), direct ? processor.connection() : null);
      if (watch != null) {
        watch.enterRequest();
        invokeNext(request, response, watch, exchange);
        return;
      }
    }
    getNext().invoke(request, response);
  }

  private void invokeNext(
      Request request, Response response, ConnectionWatch watch, Exchange exchange)
      throws IOException, ServletException {
    try {
      invokeNext(request, response, Cancellation.when(watch::isClosedByClient));
    } finally {
      if (request.isAsync()) {
        watch.enterWaiting();
      } else {
        end(request, response, watch, exchange);
      }
    }
  }

  private void invokeNext(Request request, Response response, Cancellation cancellation)
      throws IOException, ServletException {
    try {
      cancellation.call(() -> {
        getNext().invoke(request, response);
        return null;
      });
    } catch (IOException | ServletException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }

  private void end(Request request, Response response, ConnectionWatch watch, Exchange exchange) {
    org.apache.coyote.Request received = request.getCoyoteRequest();
    watch.enterEnd(!received.isFinished());
    boolean closes = "close".equals(response.getHeader("Connection"));
    // A client that still waits for `100 Continue` sends no body.
    if (closes && !exchange.isInputLost() && !received.hasExpectation()) {
      drain(received);
    }
  }

  /// Discards the rest of the body, until the watch ends that. Otherwise, a client that sends its
  /// whole body before it reads the response would find the connection closed.
  private void drain(org.apache.coyote.Request request) {
    Discard discard = new Discard();
    try {
      while (request.doRead(discard) >= 0) {
        // Discarded.
      }
    } catch (IOException | IllegalStateException connectionLost) {
      container.getLogger().debug("The rest of a rejected body did not arrive", connectionLost);
    }
  }

  /// Accepts the bytes read and leaves them in the buffer.
  private static final class Discard implements ApplicationBufferHandler {

    private ByteBuffer content = ByteBuffer.allocate(0);

    @Override
    public void setByteBuffer(ByteBuffer read) {
      content = read;
    }

    @Override
    public ByteBuffer getByteBuffer() {
      return content;
    }

    @Override
    public void expand(int size) {}
  }
}
