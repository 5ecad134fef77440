package dev.quiver.server.config;

import static dev.quiver.server.config.ConfigurationException.require;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/// The settings of background checks of the store.
///
/// @param period the time from the end of a pass over the store to the start of the next; `0s` for
///   no passes
/// @param bytesPerSecond the average rate at which the store is read
public record ScrubProperties(
    @DefaultValue("7d") @DurationUnit(ChronoUnit.SECONDS) Duration period,
    @DefaultValue("20MB") DataSize bytesPerSecond) {

  public ScrubProperties {
    require(!period.isNegative(), "a duration of 0 or more", period, "quiver.scrub.period");
    require(
        bytesPerSecond.toBytes() >= 1,
        "1 or more bytes",
        bytesPerSecond,
        "quiver.scrub.bytes-per-second");
  }
}
