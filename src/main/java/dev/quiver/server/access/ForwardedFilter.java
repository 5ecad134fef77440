package dev.quiver.server.access;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.server.config.AddressRange;
import dev.quiver.server.config.BasePath;
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
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the headers by which the proxies in `quiver.trusted-proxies` tell of their clients:
/// `X-Forwarded-For`, `-Proto`, `-Host` and `-Prefix`. From other addresses these are ignored.
///
/// A client can send such headers itself, and a proxy adds to them at their end. So the client is
/// the last address that is not that of a trusted proxy, and only the last values can be believed.
/// If proxies add to all headers alike, those of the proxy that knows the client count.
final class ForwardedFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  /// The attributes that the access log of Tomcat prefers to the address of the connection, if
  /// `server.tomcat.accesslog.request-attributes-enabled` is set.
  private static final List<String> LOGGED_CLIENT =
      List.of(
          "org.apache.catalina.AccessLog.RemoteAddr", "org.apache.catalina.AccessLog.RemoteHost");

  private static final int QUOTE_LENGTH = 100;

  /// A name or a literal, and perhaps a port: RFC 9110 §7.2.
  private static final Pattern HOST =
      Pattern.compile("(?:[A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+])(?::([0-9]{1,5}))?");

  private static final int PORT_MAXIMUM = 65_535;

  private static final Pattern PROTO = Pattern.compile("https?");

  /// An address as proxies write it, some of them with a port.
  private static final Pattern ADDRESS =
      Pattern.compile("\\[([0-9A-Fa-f:.]+)](?::[0-9]+)?|([0-9.]+)(?::[0-9]+)?|([0-9A-Fa-f:.]+)");

  private final transient List<AddressRange> trusted;
  private final transient ListenAddress listenAddress;
  private final transient HostFilter hosts;

  ForwardedFilter(QuiverProperties properties, ListenAddress listenAddress, HostFilter hosts) {
    this.trusted = properties.trustedRanges();
    this.listenAddress = listenAddress;
    this.hosts = hosts;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String remote = request.getRemoteAddr();
    InetAddress peer = remote == null ? null : address(remote);
    if (peer == null || !isTrusted(peer)) {
      chain.doFilter(request, response);
      return;
    }
    Hop hop = hop(request, peer);
    LOGGED_CLIENT.forEach(name -> request.setAttribute(name, hop.client.getHostAddress()));
    String scheme = hop.value(request, "X-Forwarded-Proto");
    String host = hop.value(request, "X-Forwarded-Host");
    String prefix = hop.value(request, "X-Forwarded-Prefix");
    // A page of another site can send these headers to its own name for this machine.
    Problem problem = listenAddress.isLoopback() ? hosts.problem(request) : null;
    if (problem == null) {
      problem = problem(scheme, host, prefix);
    }
    if (problem == null) {
      // The root is not a prefix.
      String path = prefix == null || !prefix.equals("/") ? prefix : "";
      ForwardedRequest forwarded = new ForwardedRequest(request, hop.client, scheme, host, path);
      problem = host == null ? null : hostProblem(forwarded);
      if (problem == null) {
        chain.doFilter(forwarded, response);
        return;
      }
    }
    ProblemWriter.write(request, response, problem);
  }

  private boolean isTrusted(InetAddress address) {
    return trusted.stream().anyMatch(range -> range.contains(address));
  }

  /// Returns the last hop whose client is not a trusted proxy. A text that is not an address ends
  /// the search, as nothing before it can be believed.
  private Hop hop(HttpServletRequest request, InetAddress peer) {
    List<String> addresses = values(request, "X-Forwarded-For");
    Hop hop = new Hop(peer, addresses.size(), addresses.size());
    while (hop.position > 0 && isTrusted(hop.client)) {
      InetAddress next = address(addresses.get(hop.position - 1));
      if (next == null) {
        break;
      }
      hop = new Hop(next, hop.position - 1, addresses.size());
    }
    return hop;
  }

  /// The connection of a client to the first trusted proxy.
  ///
  /// @param position the position of the client's address in `X-Forwarded-For`
  /// @param count the number of addresses there, and the position if the client is not among them
  private record Hop(InetAddress client, int position, int count) {

    /// Returns what the proxy tells of the connection, or null if absent. If a header has another
    /// number of values than there are addresses, its proxies do not add to both alike, and only
    /// the last value is known to be of a proxy.
    @Nullable String value(HttpServletRequest request, String name) {
      List<String> values = values(request, name);
      if (values.isEmpty()) {
        return null;
      }
      return values.size() == count && position < count ? values.get(position) : values.getLast();
    }
  }

  private static @Nullable InetAddress address(String text) {
    Matcher matcher = ADDRESS.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    String literal =
        Stream.of(1, 2, 3)
            .map(matcher::group)
            .filter(group -> group != null)
            .findFirst()
            .orElse("");
    try {
      return AddressRange.address(literal);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static @Nullable Problem problem(
      @Nullable String scheme, @Nullable String host, @Nullable String prefix) {
    if (scheme != null && !PROTO.matcher(scheme).matches()) {
      return badRequest("http or https", scheme, "X-Forwarded-Proto");
    }
    if (host != null && !isHost(host)) {
      return badRequest("a host and perhaps a port", host, "X-Forwarded-Host");
    }
    if (prefix != null && !prefix.equals("/") && !BasePath.isValid(prefix)) {
      return badRequest(BasePath.EXPECTED, prefix, "X-Forwarded-Prefix");
    }
    return null;
  }

  private static boolean isHost(String text) {
    Matcher matcher = HOST.matcher(text);
    if (!matcher.matches()) {
      return false;
    }
    int port = matcher.group(1) == null ? PORT_MAXIMUM : Integer.parseInt(matcher.group(1));
    return port > 0 && port <= PORT_MAXIMUM;
  }

  private @Nullable Problem hostProblem(ForwardedRequest forwarded) {
    return hosts.problem(forwarded) == null
        ? null
        : badRequest(
            "localhost, an IP address or a name in quiver.allowed-hosts",
            forwarded.getServerName(),
            "X-Forwarded-Host");
  }

  private static Problem badRequest(String expected, String found, String header) {
    return Problem.of(
            ProblemType.BAD_REQUEST,
            "Expected %s but found %s at header %s"
                .formatted(expected, Excerpt.of(found, QUOTE_LENGTH), header))
        .withHint("Let the proxy in quiver.trusted-proxies send a valid %s.".formatted(header));
  }

  /// Returns the members of a list that may span several lines.
  private static List<String> values(HttpServletRequest request, String name) {
    List<String> values = new ArrayList<>();
    for (String line : Collections.list(request.getHeaders(name))) {
      for (String value : line.split(",")) {
        if (!value.isBlank()) {
          values.add(value.strip());
        }
      }
    }
    return values;
  }
}
