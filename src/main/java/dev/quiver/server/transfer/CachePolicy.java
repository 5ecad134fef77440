package dev.quiver.server.transfer;

import dev.quiver.server.config.QuiverProperties;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How long caches may serve responses: a version for ever, a name for a configured time, and
/// neither longer than the version lasts.
final class CachePolicy {

  static final String REVALIDATE = "no-cache";

  private static final long YEAR_SECONDS = 31_536_000;

  private final long nameSeconds;

  CachePolicy(QuiverProperties properties) {
    this.nameSeconds = properties.http().nameMaxAge().toSeconds();
  }

  /// Returns the value of `Cache-Control` of a response for all principals.
  ///
  /// @param immutable whether the URL names a version
  /// @param expiresAt when the version ends, or null
  String header(boolean immutable, @Nullable Instant expiresAt, Instant now) {
    if (!immutable && nameSeconds == 0) {
      return REVALIDATE;
    }
    long seconds = immutable ? YEAR_SECONDS : nameSeconds;
    if (expiresAt != null) {
      seconds = Math.clamp(Duration.between(now, expiresAt).toSeconds(), 0, seconds);
    }
    boolean stays = immutable && expiresAt == null;
    return "public, max-age=%d, %s".formatted(seconds, stays ? "immutable" : "must-revalidate");
  }
}
