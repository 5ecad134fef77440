package dev.quiver.server.access;

import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/// Forbids content sniffing in every response, and adds a problem document to a failure without a
/// body.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class CommonHeadersFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    chain.doFilter(request, response);
    boolean empty = response.getContentType() == null && !response.isCommitted();
    HttpStatus status = HttpStatus.resolve(response.getStatus());
    if (empty && status != null && status.isError()) {
      String title = status.getReasonPhrase();
      ProblemWriter.write(request, response, Problem.ofStatus(status.value(), title, title));
    }
  }
}
