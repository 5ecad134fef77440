package dev.quiver.web.job;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.regex.Pattern;

/// The preference `respond-async` of a request: RFC 7240 §4.1.
final class RespondAsync {

  static final String NAME = "respond-async";

  private static final Pattern PREFERENCE =
      Pattern.compile("(?:^|,)\\s*(?i:" + NAME + ")\\s*(?=[,;]|$)");

  private RespondAsync() {}

  static boolean isPreferredBy(HttpServletRequest request) {
    return Collections.list(request.getHeaders("Prefer")).stream()
        .anyMatch(line -> PREFERENCE.matcher(line).find());
  }
}
