package dev.quiver.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.parallel.Cancellation;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Waits of bytes for those before them, by a clock that only waiting moves.
class PaceTest {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /// A clock may be negative, and may pass its largest value.
  private long now = Long.MAX_VALUE - SECOND;

  private final List<Long> waits = new ArrayList<>();
  private final Pace pace =
      new Pace(
          1_000,
          () -> now,
          nanos -> {
            waits.add(nanos);
            now += nanos;
          });

  private void take(long byteSize) throws IOException {
    pace.take(byteSize);
  }

  @Test
  void bytesWaitForThoseBeforeThem() throws IOException {
    take(500);
    assertThat(waits).isEmpty();
    take(400);
    take(1);
    take(1);
    assertThat(waits).containsExactly(SECOND / 2, SECOND * 4 / 10, SECOND / 1_000);
  }

  @Test
  void aSecondOfIdleTimeCounts() throws IOException {
    now += 100 * SECOND;
    assertThat(pace.isAtRest()).isTrue();
    take(1_000);
    assertThat(pace.isAtRest()).isTrue();
    take(1_000);
    assertThat(waits).isEmpty();
    assertThat(pace.isAtRest()).isFalse();
    take(1);
    assertThat(waits).containsExactly(SECOND);
  }

  @Test
  void bytesThatWereNotSentAreFree() throws IOException {
    take(1_000);
    pace.giveBack(900);
    take(1);
    assertThat(waits).containsExactly(SECOND / 10);
  }

  @Test
  void aClientThatLeftIsNoticedWithinASecond() throws IOException {
    take(10_000);
    assertThatThrownBy(() ->
            Cancellation.when(() -> waits.size() == 3)
                .call(() -> {
                  pace.take(100_000);
                  return null;
                }))
        .isInstanceOf(EOFException.class);
    assertThat(waits).containsExactly(SECOND, SECOND, SECOND);
    // Its bytes do not count, those before them do.
    take(1);
    assertThat(waits).hasSize(10).containsOnly(SECOND);
  }

  @Test
  void anInterruptionEndsTheWait() throws IOException {
    Pace interrupted =
        new Pace(
            1_000,
            () -> now,
            _ -> {
              throw new InterruptedException();
            });
    interrupted.take(1_000);
    assertThatThrownBy(() -> interrupted.take(1_000)).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    now += SECOND;
    assertThat(interrupted.isAtRest()).isTrue();
  }
}
