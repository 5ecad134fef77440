package dev.quiver.web.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.config.QuiverProperties;
import dev.quiver.input.Limit;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.request.RawRequestBody;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/// Limits on the duration and rate of transfers, with a simulated clock.
class TransferRateGuardTest {

  private final AtomicLong now = new AtomicLong();
  private final TransferRateGuard guard =
      new TransferRateGuard(
          new Binder(new MapConfigurationPropertySource())
              .bindOrCreate("quiver.limits", QuiverProperties.RequestLimits.class),
          now::get);

  private void advance(long seconds) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  private void waitFor(long seconds) {
    guard.startWaiting();
    advance(seconds);
    guard.endWaiting();
  }

  @Test
  void ignoresTheTransferRateDuringTheIdleTime() {
    waitFor(60);
    assertThat(guard.rateViolation(0)).isNull();
  }

  @Test
  void enforcesTheAverageTransferRateAfterTheIdleTime() {
    waitFor(100);
    assertThat(guard.rateViolation(102_400)).isNull();
    assertThat(guard.uploadViolation(102_399))
        .isEqualTo(
            "Expected at least 1024 bytes per second (quiver.limits.minimum-bytes-per-second) but"
                + " found 1023 at byte offset 102399");
  }

  @Test
  void transferRateCountsOnlyTimeSpentWaiting() {
    for (int turn = 0; turn < 61; turn++) {
      advance(100);
      assertThat(guard.uploadViolation(turn)).isNull();
      waitFor(1);
    }
    assertThat(guard.rateViolation(62_464)).isNull();
    assertThat(guard.rateViolation(62_463))
        .isEqualTo(
            "Expected at least 1024 bytes per second (quiver.limits.minimum-bytes-per-second) but"
                + " found 1023 at byte offset 62463");
  }

  @Test
  void acceptsAnUploadThatTheServerReadsSlowly() {
    RawRequestBody body =
        new RawRequestBody(new Sender(0), null, guard, new Limit("bytes", 1 << 20));
    MemorySegment buffer = MemorySegment.ofArray(new byte[16]);
    for (int i = 0; i < 200; i++) {
      assertThat(body.read(buffer)).isEqualTo(1);
      advance(100);
    }
  }

  @Test
  void rejectsAnUploadThatTheClientSendsSlowly() {
    RawRequestBody body =
        new RawRequestBody(new Sender(50), null, guard, new Limit("bytes", 1 << 20));
    MemorySegment buffer = MemorySegment.ofArray(new byte[16]);
    assertThat(body.read(buffer)).isEqualTo(1);
    assertThatThrownBy(() -> body.read(buffer))
        .isInstanceOf(ProblemException.class)
        .hasMessage(
            "Expected at least 1024 bytes per second (quiver.limits.minimum-bytes-per-second) but"
                + " found 0 at byte offset 2");
  }

  /// Sends one byte per read, each after the same number of seconds.
  private final class Sender extends ServletInputStream {

    private final long seconds;

    Sender(long seconds) {
      this.seconds = seconds;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException();
    }

    @Override
    public int read(ByteBuffer destination) {
      advance(seconds);
      destination.put((byte) 0);
      return 1;
    }

    @Override
    public boolean isFinished() {
      return false;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void rejectsAnUploadAfterSixHours() {
    advance(21_600);
    assertThat(guard.uploadViolation(Long.MAX_VALUE)).isNull();
    advance(1);
    assertThat(guard.uploadViolation(Long.MAX_VALUE))
        .isEqualTo(
            "Expected a body within 21600 s (quiver.limits.upload-seconds) but found it"
                + " unfinished at byte offset "
                + Long.MAX_VALUE);
    assertThat(guard.rateViolation(Long.MAX_VALUE)).isNull();
  }
}
