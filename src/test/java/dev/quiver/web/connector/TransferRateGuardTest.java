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

/// Transfers that take too long or go too slowly are noticed; the clock is the test's own.
class TransferRateGuardTest {

  private final AtomicLong now = new AtomicLong();
  private final TransferRateGuard clock =
      new TransferRateGuard(
          new Binder(new MapConfigurationPropertySource())
              .bindOrCreate("quiver.limits", QuiverProperties.RequestLimits.class),
          now::get);

  private void pass(long seconds) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  private void waitFor(long seconds) {
    clock.startWaiting();
    pass(seconds);
    clock.endWaiting();
  }

  @Test
  void ignoresTheRateDuringTheIdleTime() {
    waitFor(60);
    assertThat(clock.rateViolation(0)).isNull();
  }

  @Test
  void enforcesTheAverageRateAfterwards() {
    waitFor(100);
    assertThat(clock.rateViolation(102_400)).isNull();
    assertThat(clock.uploadViolation(102_399))
        .isEqualTo(
            "Expected at least 1024 bytes per second (quiver.limits.minimum-bytes-per-second) but"
                + " found 1023 at byte offset 102399");
  }

  @Test
  void countsOnlyTimeSpentWaiting() {
    for (int turn = 0; turn < 61; turn++) {
      pass(100);
      assertThat(clock.uploadViolation(turn)).isNull();
      waitFor(1);
    }
    assertThat(clock.rateViolation(62_464)).isNull();
    assertThat(clock.rateViolation(62_463))
        .isEqualTo(
            "Expected at least 1024 bytes per second (quiver.limits.minimum-bytes-per-second) but"
                + " found 1023 at byte offset 62463");
  }

  @Test
  void acceptsAnUploadReadByASlowServer() {
    RawRequestBody body =
        new RawRequestBody(new Sender(0), null, clock, new Limit("bytes", 1 << 20));
    MemorySegment buffer = MemorySegment.ofArray(new byte[16]);
    for (int i = 0; i < 200; i++) {
      assertThat(body.read(buffer)).isEqualTo(1);
      pass(100);
    }
  }

  @Test
  void rejectsAnUploadSentByASlowClient() {
    RawRequestBody body =
        new RawRequestBody(new Sender(50), null, clock, new Limit("bytes", 1 << 20));
    MemorySegment buffer = MemorySegment.ofArray(new byte[16]);
    assertThat(body.read(buffer)).isEqualTo(1);
    assertThatThrownBy(() -> body.read(buffer))
        .isInstanceOf(ProblemException.class)
        .hasMessage(
            "Expected at least 1024 bytes per second (quiver.limits.minimum-bytes-per-second) but"
                + " found 0 at byte offset 2");
  }

  /// Sends one byte at a time, each after so many seconds.
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
      pass(seconds);
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
    pass(21_600);
    assertThat(clock.uploadViolation(Long.MAX_VALUE)).isNull();
    pass(1);
    assertThat(clock.uploadViolation(Long.MAX_VALUE))
        .isEqualTo(
            "Expected a body within 21600 s (quiver.limits.upload-seconds) but found it"
                + " unfinished at byte offset "
                + Long.MAX_VALUE);
    assertThat(clock.rateViolation(Long.MAX_VALUE)).isNull();
  }
}
