package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The `Want-Repr-Digest` header: RFC 9530 §4. It is a wish, so an invalid value counts as none.
///
/// @param preferences the preferences of algorithms, from 0 (not acceptable) to 10
public record WantReprDigest(Map<String, Integer> preferences) {

  /// A dictionary member whose value is an integer, which may have parameters: RFC 9651 §3.2.
  private static final Pattern MEMBER =
      Pattern.compile("[ \\t]*([a-z*][a-z0-9_.*-]*)=(10|[0-9])(?:;[^,]*)?[ \\t]*");

  /// Parses all header lines.
  public static WantReprDigest of(HttpServletRequest request) {
    Map<String, Integer> preferences = new HashMap<>();
    for (String line : Collections.list(request.getHeaders("Want-Repr-Digest"))) {
      for (String element : line.split(",")) {
        Matcher member = MEMBER.matcher(element);
        if (!member.matches()) {
          return new WantReprDigest(Map.of());
        }
        preferences.put(member.group(1), Integer.parseInt(member.group(2)));
      }
    }
    return new WantReprDigest(Map.copyOf(preferences));
  }

  /// Returns whether the client wants a digest by this algorithm.
  public boolean wants(String algorithm) {
    return preferences.getOrDefault(algorithm, 0) > 0;
  }

  /// Returns whether the client rejects digests by this algorithm.
  public boolean rejects(String algorithm) {
    return preferences.getOrDefault(algorithm, 1) == 0;
  }
}
