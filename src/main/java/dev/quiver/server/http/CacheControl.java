package dev.quiver.server.http;

import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The header `Cache-Control`: RFC 9111 §5.2.2. A response that is not for all principals is kept
/// by private caches alone.
public final class CacheControl {

  public static final String NAME = "Cache-Control";
  public static final String NO_STORE = "no-store";
  public static final String REVALIDATE = "no-cache";

  private static final long YEAR_SECONDS = 31_536_000;

  private static final String PUBLIC = "public";
  private static final String PRIVATE = "private";

  private CacheControl() {}

  /// Restricts a response to private caches, before its header is set.
  public static void restrict(HttpServletResponse response) {
    response.setHeader(NAME, PRIVATE);
  }

  /// Sets the header of a response.
  ///
  /// @param value for a response for all principals
  public static void set(HttpServletResponse response, String value) {
    String present = response.getHeader(NAME);
    boolean restricted = present != null && present.startsWith(PRIVATE);
    response.setHeader(NAME, restricted && !value.equals(NO_STORE) ? restricted(value) : value);
  }

  /// Returns the value for a version, which caches may serve for ever, or for a name, which they
  /// may serve for a configured time. They may serve neither longer than the version lasts.
  ///
  /// @param immutable whether the URL names a version
  /// @param nameAge how long caches may serve a name
  /// @param expiresAt when the version ends, or null
  public static String ofVersion(
      boolean immutable, Duration nameAge, @Nullable Instant expiresAt, Instant now) {
    if (!immutable && nameAge.isZero()) {
      return REVALIDATE;
    }
    long seconds = immutable ? YEAR_SECONDS : nameAge.toSeconds();
    if (expiresAt != null) {
      seconds = Math.clamp(Duration.between(now, expiresAt).toSeconds(), 0, seconds);
    }
    boolean stays = immutable && expiresAt == null;
    return "public, max-age=%d, %s".formatted(seconds, stays ? "immutable" : "must-revalidate");
  }

  private static String restricted(String value) {
    return value.startsWith(PUBLIC)
        ? PRIVATE + value.substring(PUBLIC.length())
        : PRIVATE + ", " + value;
  }
}
