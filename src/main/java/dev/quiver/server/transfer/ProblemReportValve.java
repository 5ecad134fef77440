package dev.quiver.server.transfer;

import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.ProblemWriter;
import dev.quiver.server.http.RequestId;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;

/// Reports failures outside Spring as problems, such as bad request lines and unhandled exceptions.
///
/// If the response is committed, [ErrorReportValve] closes the connection and appends nothing. A
/// `ResponseAbortedException` relies on that.
public final class ProblemReportValve extends ErrorReportValve {

  private static final Logger LOG = LoggerFactory.getLogger(ProblemReportValve.class);

  @Override
  protected void report(Request request, Response response, @Nullable Throwable throwable) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    try {
      Exchange exchange = Exchange.of(request);
      Problem known = exchange.problem();
      ProblemWriter.write(
          request,
          response,
          known == null ? problem(status, request, response.getMessage()) : known);
      // Tomcat has given up on this connection.
      exchange.loseInput();
      response.finishResponse();
    } catch (IOException | IllegalStateException connectionLost) {
      container.getLogger().debug("A problem could not be sent", connectionLost);
    }
  }

  private static Problem problem(int status, Request request, @Nullable String message) {
    if (status == HttpServletResponse.SC_INTERNAL_SERVER_ERROR) {
      Problem failure =
          Problem.of(
                  ProblemType.INTERNAL,
                  "The log of the service names the cause under this requestId")
              .withHint(Problem.REPORT_HINT);
      LOG.atError()
          .addKeyValue("problem", failure.type())
          .log(
              "{} {} failed as request {}",
              request.getMethod(),
              request.getRequestURI(),
              RequestId.of(request));
      return failure;
    }
    Problem rejected = ContainerErrors.of(status, request);
    if (rejected != null) {
      return rejected;
    }
    HttpStatus known = HttpStatus.resolve(status);
    String title = known == null ? "Status " + status : known.getReasonPhrase();
    return Problem.ofStatus(status, title, message == null || message.isEmpty() ? title : message);
  }
}
