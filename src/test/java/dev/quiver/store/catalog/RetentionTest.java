package dev.quiver.store.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoreKeys;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The ages at which blobs may be committed or built on, and deleted. `GarbageCollectorTest` covers
/// the deletion itself.
class RetentionTest {

  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final Retention RETENTION =
      new Retention(1, Duration.ofHours(48), Duration.ofHours(24), "storage.grace");

  @Test
  void commitsBlobsBegunWithinHalfTheGracePeriod() {
    assertThatCode(() -> RETENTION.requireCommittable(Set.of(data(Duration.ofHours(12))), NOW))
        .doesNotThrowAnyException();
    // The clock was set back after the blob was begun.
    assertThatCode(() -> RETENTION.requireCommittable(Set.of(data(Duration.ofHours(-30))), NOW))
        .doesNotThrowAnyException();
    String old = data(Duration.ofHours(12).plusMillis(1));
    assertThatThrownBy(() -> RETENTION.requireCommittable(Set.of(old), NOW))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Expected a blob begun at most PT12H ago, half of storage.grace, but found one"
                + " begun PT12H0.001S ago at "
                + old);
  }

  @Test
  void buildsOnVersionsReadWithinAQuarterOfTheGracePeriod() {
    assertThat(RETENTION.withinReadWindow(ago(Duration.ofHours(6)), NOW)).isTrue();
    assertThat(RETENTION.withinReadWindow(ago(Duration.ofHours(6).plusNanos(1)), NOW)).isFalse();
    assertThat(RETENTION.withinReadWindow(ago(Duration.ofNanos(-1)), NOW))
        .as("clock set back")
        .isFalse();
  }

  @Test
  void keepsBlobsForTheGracePeriod() {
    assertThat(RETENTION.pastGracePeriod(ago(Duration.ofHours(24)), NOW)).isFalse();
    assertThat(RETENTION.pastGracePeriod(ago(Duration.ofHours(24).plusMillis(1)), NOW)).isTrue();
  }

  @Test
  void keepsReplacedVersionsForTheLongerOfAgeAndGracePeriod() {
    assertThat(RETENTION.expired(ago(Duration.ofHours(48)), NOW)).isFalse();
    assertThat(RETENTION.expired(ago(Duration.ofHours(48).plusMillis(1)), NOW)).isTrue();
    Retention noAge = new Retention(1, Duration.ZERO, Duration.ofHours(24), "the grace period");
    assertThat(noAge.expired(ago(Duration.ofHours(24)), NOW)).isFalse();
    assertThat(noAge.expired(ago(Duration.ofHours(24).plusMillis(1)), NOW)).isTrue();
  }

  @Test
  void rejectsInvalidRetentionSettings() {
    Duration day = Duration.ofDays(1);
    assertThatThrownBy(() -> new Retention(0, day, day, "the grace period"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected 1 or more but found 0 at count");
    assertThatThrownBy(() -> new Retention(1, Duration.ofSeconds(-1), day, "the grace period"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected a duration of 0 or more but found PT-1S at age");
    assertThatThrownBy(() -> new Retention(1, Duration.ZERO, Duration.ZERO, "storage.grace"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected a positive duration but found PT0S at storage.grace");
  }

  private static String data(Duration age) {
    return StoreKeys.newData(new DatasetName("a"), ago(age));
  }

  private static Instant ago(Duration age) {
    return NOW.minus(age);
  }
}
