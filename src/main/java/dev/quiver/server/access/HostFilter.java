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
import org.springframework.stereotype.Component;

/// Rejects host names that another site has pointed at a loopback address (DNS rebinding).
///
/// A browser takes the service for that site and lets the pages of the site read everything. Only
/// the `Host` header reveals the name of the site.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
public final class HostFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  private final transient ListenAddress address;
  private final transient AllowedHosts hosts;

  HostFilter(ListenAddress address, AllowedHosts hosts) {
    this.address = address;
    this.hosts = hosts;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Problem problem = address.isLoopback() ? hosts.problem(request) : null;
    if (problem == null) {
      chain.doFilter(request, response);
    } else {
      ProblemWriter.write(request, response, problem);
    }
  }
}
