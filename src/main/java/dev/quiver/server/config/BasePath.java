package dev.quiver.server.config;

import static dev.quiver.server.config.ConfigurationException.require;

import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The paths of the service at its hosts, below which all its resources lie: that of
/// `server.servlet.context-path`, and those of `quiver.public-urls`.
///
/// ```text
/// quiver.public-urls=https://example.org/quiver
/// GET /quiver/datasets/flights → /datasets/flights, of a proxy that passes paths on
/// GET /datasets/flights        → /datasets/flights, of a proxy that removes its own path
/// ```
public final class BasePath {

  /// The maximum number of characters of a path.
  public static final int LENGTH_MAXIMUM = 200;

  /// The paths in the words of an error.
  public static final String EXPECTED =
      "segments of letters, digits, -._~ with at most %d characters".formatted(LENGTH_MAXIMUM);

  private static final Pattern PATH = Pattern.compile("(?:/(?!\\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)*");

  /// The first segments of the paths of resources, up to a dot.
  private static final Set<String> RESOURCES =
      Set.of(
          "api",
          "assets",
          "convert",
          "datasets",
          "docs",
          "health",
          "inspect",
          "jobs",
          "metrics",
          "openapi",
          "sql",
          "swagger-ui",
          "uploads");

  private BasePath() {}

  /// Returns whether a text is a path that may precede those of resources, or empty.
  public static boolean isValid(String path) {
    return path.length() <= LENGTH_MAXIMUM && PATH.matcher(path).matches();
  }

  /// Returns the path of a URL of the service, or empty.
  public static String of(URI url) {
    return withoutSlash(url.getRawPath());
  }

  /// Returns the paths below which the service responds, besides the root.
  ///
  /// @param contextPath that of `server.servlet.context-path`, or null
  public static List<String> all(@Nullable String contextPath, List<URI> publicUrls) {
    Set<String> paths = new LinkedHashSet<>();
    paths.add(contextPath == null ? "" : contextPath);
    publicUrls.forEach(url -> paths.add(of(url)));
    paths.remove("");
    // Of two that match, the longer one is meant.
    return paths.stream().sorted((a, b) -> b.length() - a.length()).toList();
  }

  /// Requires a path that can be told from those of resources.
  ///
  /// @param path perhaps with a slash at its end
  /// @throws ConfigurationException if it is invalid, or begins like the path of a resource
  static void requireValid(String path, String key) {
    String base = withoutSlash(path);
    require(isValid(base), EXPECTED, path, key);
    String first = base.isEmpty() ? "" : base.substring(1).replaceFirst("[/.].*", "");
    require(!RESOURCES.contains(first), "a path other than those of resources", path, key);
  }

  private static String withoutSlash(String path) {
    return path.replaceFirst("/+$", "");
  }
}
