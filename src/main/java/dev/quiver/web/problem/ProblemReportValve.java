package dev.quiver.web.problem;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;

/// Reports as problems what fails outside Spring: bad request lines, and exceptions that nobody
/// handles.
///
/// When the response is committed, [ErrorReportValve] closes the connection and appends nothing,
/// which is what a `ResponseAbortedException` is for.
public final class ProblemReportValve extends ErrorReportValve {

  /// The request attribute that holds the problem to report, when somebody knows it.
  public static final String PROBLEM = ProblemReportValve.class.getName() + ".problem";

  /// The request attribute that is there when a body was refused before its end.
  static final String BODY_UNREAD = ProblemReportValve.class.getName() + ".bodyUnread";

  private static final Logger LOG = LoggerFactory.getLogger(ProblemReportValve.class);

  private static final long SWALLOW_NANOS = TimeUnit.SECONDS.toNanos(10);

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    super.invoke(request, response);
    // Who waits to be asked for a body sends none.
    boolean sent = !request.getCoyoteRequest().hasExpectation();
    if (sent && request.getAttribute(BODY_UNREAD) != null) {
      swallow(request.getCoyoteRequest());
    }
  }

  /// Reads on for some seconds, whatever comes: a client that sends all of its body before it looks
  /// for an answer would else find the connection gone. Tomcat itself counts bytes, not seconds.
  private void swallow(org.apache.coyote.Request request) {
    long start = System.nanoTime();
    Discard scrap = new Discard();
    try {
      while (request.doRead(scrap) >= 0 && System.nanoTime() - start < SWALLOW_NANOS) {
        // Nothing is done with it.
      }
    } catch (IOException | IllegalStateException connectionLost) {
      container.getLogger().debug("The rest of a refused body did not come", connectionLost);
    }
  }

  /// Takes what was read and leaves it there.
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

  @Override
  protected void report(Request request, Response response, @Nullable Throwable throwable) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    try {
      Object known = request.getAttribute(PROBLEM);
      Problem problem =
          known instanceof Problem reported
              ? reported
              : problem(status, request, response.getMessage());
      ProblemWriter.write(request, response, problem);
      // Tomcat has given up on this connection.
      request.removeAttribute(BODY_UNREAD);
      response.finishResponse();
    } catch (IOException | IllegalStateException connectionLost) {
      container.getLogger().debug("A problem could not be sent", connectionLost);
    }
  }

  private static Problem problem(int status, Request request, @Nullable String message) {
    if (status == HttpServletResponse.SC_INTERNAL_SERVER_ERROR) {
      String id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
      LOG.error("{} {} failed as request {}", request.getMethod(), request.getRequestURI(), id);
      return Problem.of(ProblemType.INTERNAL, "The log of the service says why")
          .with("requestId", id)
          .withHeader("X-Request-Id", id);
    }
    Problem refused = ContainerErrors.of(status, request);
    if (refused != null) {
      return refused;
    }
    HttpStatus known = HttpStatus.resolve(status);
    String title = known == null ? "Status " + status : known.getReasonPhrase();
    return Problem.ofStatus(status, title, message == null || message.isEmpty() ? title : message);
  }
}
