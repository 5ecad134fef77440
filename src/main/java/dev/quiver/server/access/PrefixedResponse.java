package dev.quiver.server.access;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Wraps the response to a client that knows the service below a prefix: headers that have paths of
/// the service get the prefix.
final class PrefixedResponse extends HttpServletResponseWrapper {

  private static final Set<String> OF_ONE_PATH = Set.of("location", "content-location");

  private static final String LINKS = "link";

  private final String prefix;

  PrefixedResponse(HttpServletResponse response, String prefix) {
    super(response);
    this.prefix = prefix;
  }

  @Override
  public void setHeader(String name, @Nullable String value) {
    super.setHeader(name, value == null ? null : prefixed(name, value));
  }

  @Override
  public void addHeader(String name, @Nullable String value) {
    super.addHeader(name, value == null ? null : prefixed(name, value));
  }

  /// Returns the value of a header as it was set.
  @Override
  public @Nullable String getHeader(String name) {
    String value = super.getHeader(name);
    return value != null && isOfOnePath(name) && value.startsWith(prefix + "/")
        ? value.substring(prefix.length())
        : value;
  }

  private String prefixed(String name, String value) {
    if (isOfOnePath(name)) {
      return value.startsWith("/") ? prefix + value : value;
    }
    return name.equalsIgnoreCase(LINKS) ? value.replace("</", "<" + prefix + "/") : value;
  }

  private static boolean isOfOnePath(String name) {
    return OF_ONE_PATH.contains(name.toLowerCase(Locale.ROOT));
  }
}
