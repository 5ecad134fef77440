package dev.quiver.server.http;

import java.util.regex.Pattern;

/// The preference `respond-async` of a request: RFC 7240 §4.1.
public final class RespondAsync {

  public static final String NAME = "respond-async";

  private static final Pattern PREFERENCE =
      Pattern.compile("(?:^|,)\\s*(?i:" + NAME + ")\\s*(?=[,;]|$)");

  private RespondAsync() {}

  public static boolean isPreferredBy(RequestHead head) {
    return head.headers("Prefer").stream().anyMatch(line -> PREFERENCE.matcher(line).find());
  }
}
