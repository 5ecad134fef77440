package dev.quiver.server.config;

import static dev.quiver.server.config.ConfigurationException.require;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;

/// The settings of uploads that arrive in several requests.
///
/// @param expires how long an upload is kept after its last change
/// @param open the number of uploads that are kept
/// @param parts the number of parts of an upload
public record UploadsProperties(
    @DefaultValue("3d") @DurationUnit(ChronoUnit.SECONDS) Duration expires,
    @DefaultValue("1000") int open,
    @DefaultValue("10000") int parts) {

  /// The most keys that are listed at once.
  static final int MOST_OPEN = 100_000;

  public UploadsProperties {
    require(expires.toSeconds() >= 1, "1s or more", expires, "quiver.uploads.expires");
    require(open > 0 && open <= MOST_OPEN, "1 to " + MOST_OPEN, open, "quiver.uploads.open");
    require(parts > 0, "1 or more", parts, "quiver.uploads.parts");
  }
}
