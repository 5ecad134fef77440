package dev.quiver.server.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The query of a URL, for code that must not ask the container: the container reads the body of a
/// form for its parameters, and throws if any of them is malformed.
public final class QueryString {

  private QueryString() {}

  /// Returns the decoded parameters of a query, in order. Skips malformed ones, with which a
  /// request is rejected later.
  ///
  /// @param query as a client sends it, or null if absent
  public static Map<String, List<String>> parameters(@Nullable String query) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    for (String parameter : query == null ? new String[0] : query.split("&")) {
      int end = parameter.indexOf('=');
      try {
        String name = decoded(end < 0 ? parameter : parameter.substring(0, end));
        String value = end < 0 ? "" : decoded(parameter.substring(end + 1));
        if (!name.isEmpty()) {
          parameters.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
        }
      } catch (IllegalArgumentException malformed) {
        continue;
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
