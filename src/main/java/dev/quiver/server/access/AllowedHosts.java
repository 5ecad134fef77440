package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The hosts that no other site can point at this service: localhost, IP addresses, and the names
/// in `quiver.allowed-hosts`.
@Component
public final class AllowedHosts {

  /// The forms of a literal that `Host` may have: RFC 3986 §3.2.2. Java accepts others as well.
  private static final Pattern IP_ADDRESS =
      Pattern.compile("\\[([0-9a-f:.]+)]|([0-9]{1,3}(?:\\.[0-9]{1,3}){3})");

  private final List<String> names;

  AllowedHosts(QuiverProperties properties) {
    this.names =
        properties.allowedHosts().stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
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
                + " at header Host");
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
