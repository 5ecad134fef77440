package dev.quiver.server.access;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.net.InetAddress;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.WebUtils;

/// Wraps a request that a trusted proxy has forwarded as the request of the proxy's client.
final class ForwardedRequest extends HttpServletRequestWrapper {

  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  private final String address;
  private final @Nullable String scheme;
  private final @Nullable String host;
  private final @Nullable String prefix;

  /// @param address that of the client
  /// @param scheme `http` or `https`, or null if the proxy does not tell it
  /// @param host the name and port by which the client knows the service, or null likewise
  /// @param prefix the path of the service below that host, perhaps empty, or null likewise
  ForwardedRequest(
      HttpServletRequest request,
      InetAddress address,
      @Nullable String scheme,
      @Nullable String host,
      @Nullable String prefix) {
    super(request);
    this.address = address.getHostAddress();
    this.scheme = scheme;
    this.host = host;
    this.prefix = prefix;
  }

  /// Returns whether a trusted proxy tells the name by which the client of a request knows the
  /// service.
  static boolean hasHost(HttpServletRequest request) {
    ForwardedRequest forwarded = WebUtils.getNativeRequest(request, ForwardedRequest.class);
    return forwarded != null && forwarded.host != null;
  }

  /// Returns the path below which the client of a request finds the service, perhaps empty, or null
  /// if no trusted proxy tells it.
  static @Nullable String prefix(HttpServletRequest request) {
    ForwardedRequest forwarded = WebUtils.getNativeRequest(request, ForwardedRequest.class);
    return forwarded == null ? null : forwarded.prefix;
  }

  @Override
  public String getRemoteAddr() {
    return address;
  }

  @Override
  public String getRemoteHost() {
    return address;
  }

  @Override
  public String getScheme() {
    return scheme == null ? super.getScheme() : scheme;
  }

  @Override
  public boolean isSecure() {
    return scheme == null ? super.isSecure() : scheme.equals("https");
  }

  @Override
  public String getServerName() {
    return host == null ? super.getServerName() : host.substring(0, nameLength(host));
  }

  @Override
  public int getServerPort() {
    if (host == null) {
      return super.getServerPort();
    }
    int end = nameLength(host);
    if (end < host.length()) {
      return Integer.parseInt(host.substring(end + 1));
    }
    return isSecure() ? HTTPS_PORT : HTTP_PORT;
  }

  /// Returns the length of a host without its port.
  private static int nameLength(String host) {
    int colon = host.lastIndexOf(':');
    return colon < host.lastIndexOf(']') || colon < 0 ? host.length() : colon;
  }

  @Override
  public @Nullable String getHeader(String name) {
    return host != null && name.equalsIgnoreCase("Host") ? host : super.getHeader(name);
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    return host != null && name.equalsIgnoreCase("Host")
        ? Collections.enumeration(List.of(host))
        : super.getHeaders(name);
  }
}
