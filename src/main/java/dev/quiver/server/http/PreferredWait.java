package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The preference `wait` of a request: RFC 7240 §4.3.
///
/// @param seconds how long the client wants to wait at most; 0 without the preference
public record PreferredWait(long seconds) {

  public static final PreferredWait NONE = new PreferredWait(0);

  private static final Pattern PREFERENCE =
      Pattern.compile("(?:^|,)\\s*(?i:wait)\\s*=\\s*(\"?)([0-9]{1,9})\\1\\s*(?=[,;]|$)");

  /// Returns the first preference of a request. Invalid ones are ignored, as RFC 7240 §2 demands.
  ///
  /// @param maximumSeconds the longest wait
  public static PreferredWait of(HttpServletRequest request, long maximumSeconds) {
    return of(Collections.list(request.getHeaders("Prefer")), maximumSeconds);
  }

  /// Returns the first preference of a request. Invalid ones are ignored, as RFC 7240 §2 demands.
  ///
  /// @param lines the values of `Prefer`
  /// @param maximumSeconds the longest wait
  public static PreferredWait of(List<String> lines, long maximumSeconds) {
    for (String line : lines) {
      Matcher preference = PREFERENCE.matcher(line);
      if (preference.find()) {
        long seconds = Long.parseLong(preference.group(2));
        return new PreferredWait(Math.min(seconds, maximumSeconds));
      }
    }
    return NONE;
  }

  /// Sets the headers of a response to a request that may wait.
  public void setHeaders(HttpServletResponse response) {
    VaryHeader.add(response, "Prefer");
    if (seconds > 0) {
      response.setHeader("Preference-Applied", "wait=" + seconds);
    }
  }
}
