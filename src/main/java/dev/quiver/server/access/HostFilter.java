package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.ProblemWriter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// Rejects host names that another site has pointed at a loopback address (DNS rebinding).
///
/// A browser takes the service for that site and lets the pages of the site read everything. Only
/// the `Host` header reveals the name of the site. No other site can point at this service
/// localhost, IP addresses, and the names in `quiver.allowed-hosts`.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
public final class HostFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  /// The forms of a literal that `Host` may have: RFC 3986 §3.2.2. Java accepts others as well.
  private static final Pattern IP_ADDRESS =
      Pattern.compile("\\[([0-9a-f:.]+)]|([0-9]{1,3}(?:\\.[0-9]{1,3}){3})");

  private final transient ListenAddress address;
  private final transient List<String> names;

  public HostFilter(ListenAddress address, QuiverProperties properties) {
    this.address = address;
    this.names =
        properties.allowedHosts().stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Problem problem = address.isLoopback() ? problem(request) : null;
    if (problem == null) {
      chain.doFilter(request, response);
    } else {
      ProblemWriter.write(request, response, problem);
    }
  }

  /// Returns the problem with the `Host` of a request, or null if it is allowed.
  @Nullable Problem problem(HttpServletRequest request) {
    String host = request.getServerName().toLowerCase(Locale.ROOT);
    return host.equals("localhost") || isIpAddress(host) || names.contains(host)
        ? null
        : Problem.of(
                ProblemType.MISDIRECTED,
                "Expected localhost, an IP address or a name in quiver.allowed-hosts but found "
                    + host
                    + " at header Host")
            .withHint(
                "Use localhost or an IP address, or start the service with quiver.allowed-hosts=%s."
                    .formatted(host));
  }

  private static boolean isIpAddress(String host) {
    Matcher literal = IP_ADDRESS.matcher(host);
    if (!literal.matches()) {
      return false;
    }
    try {
      if (literal.group(1) == null) {
        Inet4Address.ofLiteral(host);
      } else {
        Inet6Address.ofLiteral(literal.group(1));
      }
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
