package dev.quiver.server.transfer;

import dev.quiver.server.http.LogContext;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemPages;
import dev.quiver.server.http.ProblemWriter;
import dev.quiver.server.http.RequestId;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.http.HttpStatus;

/// Gives each request its id, in the response and in the log, and the access log its bytes. Forbids
/// browsers to sniff the content of a response, to embed it elsewhere, and to let a page of another
/// site watch its tab. Adds a problem document to a failure without a body. A valve, since Tomcat
/// rejects some requests before any filter.
public final class RequestValve extends ValveBase {

  private final Supplier<ProblemPages> pages;

  /// Creates a valve that also supports asynchronous requests.
  public RequestValve(Supplier<ProblemPages> pages) {
    super(/* asyncSupported= */ true);
    this.pages = pages;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException, ServletException {
    String id = RequestId.of(request);
    response.setHeader(RequestId.HEADER, id);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
    LogContext.begin(id);
    String accept = request.getHeader("Accept");
    if (accept != null && accept.contains("text/html")) {
      pages.get().attachTo(request);
    }
    try {
      getNext().invoke(request, response);
      describeFailure(request, response);
    } finally {
      LogContext.end();
      if (!request.isAsync()) {
        BodyMetrics.logRest(request, response.getContentWritten());
      }
    }
  }

  private static void describeFailure(Request request, Response response) throws IOException {
    boolean empty =
        response.getContentType() == null && !response.isCommitted() && !request.isAsync();
    HttpStatus status = HttpStatus.resolve(response.getStatus());
    if (empty && status != null && status.isError()) {
      String title = status.getReasonPhrase();
      ProblemWriter.write(request, response, Problem.ofStatus(status.value(), title, title));
    }
  }
}
