package dev.quiver.server;

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
import org.springframework.stereotype.Component;

/// Maps the failures of filters to their problems, which [ProblemAdvice] does for controllers: the
/// check of a link may read the store, for example.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 5)
final class FailureFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  private final transient FailureProblems problems;

  FailureFilter(FailureProblems problems) {
    this.problems = problems;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    try {
      chain.doFilter(request, response);
    } catch (IOException | RuntimeException failure) {
      Problem problem = response.isCommitted() ? null : problems.find(failure);
      if (problem == null) {
        throw failure;
      }
      ProblemWriter.write(request, response, problem);
    }
  }
}
