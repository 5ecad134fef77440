package dev.quiver.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.ProblemException;
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
  private final RequestLimits limits =
      new Binder(new MapConfigurationPropertySource())
          .bindOrCreate("quiver.limits", RequestLimits.class);
  private final TransferRateGuard guard = TransferRateGuard.ofUpload(limits, now::get);
  private final TransferRateGuard download = TransferRateGuard.ofDownload(limits, now::get);

  private void advance(long seconds) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  private void waitFor(TransferRateGuard waiting, long seconds) {
    waiting.startWaiting();
    advance(seconds);
    waiting.endWaiting();
  }

  @Test
  void ignoresTheRateDuringTheIdleTime() {
    waitFor(download, 60);
    assertThat(download.violation()).isNull();
  }

  @Test
  void enforcesTheRateAfterwards() {
    waitFor(download, 100);
    download.count(102_400);
    assertThat(download.violation()).isNull();
    waitFor(download, 100);
    download.count(102_399);
    assertThat(download.violation())
        .isEqualTo(
            "Expected at least 1024 bytes per second (quiver.limits.minimum-bytes-per-second) but"
                + " found 1023 at byte offset 204799");
  }

  @Test
  void doesNotLetAFastStartPayForASlowRest() {
    waitFor(guard, 30);
    guard.count(20_000_000);
    waitFor(guard, 31);
    assertThat(guard.violation()).isNull();
    for (int turn = 0; turn < 61; turn++) {
      assertThat(guard.violation()).isNull();
      waitFor(guard, 1);
      guard.count(1);
    }
    assertThat(guard.violation()).contains("but found 1 at byte offset 20000061");
  }

  @Test
  void countsOnlyTimeSpentWaiting() {
    for (int turn = 0; turn < 60; turn++) {
      advance(100);
      assertThat(guard.violation()).isNull();
      waitFor(guard, 1);
    }
    assertThat(guard.violation()).isNull();
  }

  /// The rate is checked during the wait as well.
  @Test
  void countsAWaitOnceAlthoughItSpansTwoWindows() {
    download.count(61 * 1024);
    download.startWaiting();
    advance(61);
    assertThat(download.violation()).isNull();
    advance(10);
    download.endWaiting();
    waitFor(download, 50);
    assertThat(download.violation()).isNull();
    waitFor(download, 1);
    assertThat(download.violation()).contains("but found 0 at byte offset 62464");
  }

  @Test
  void noticesAnUploadOfWhichNothingArrives() {
    guard.startWaiting();
    advance(60);
    assertThat(guard.violation()).isNull();
    advance(1);
    assertThat(guard.violation())
        .isEqualTo(
            "Expected more of the body within 60 s (quiver.limits.idle-seconds) but found none at"
                + " byte offset 0");
  }

  @Test
  void givesAWriteTheTimeThatItTakesAtTheMinimumRate() {
    download.startWaiting(10 * 1024);
    advance(70);
    assertThat(download.violation()).isNull();
    advance(1);
    assertThat(download.violation()).contains("but found 0 at byte offset 0");
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
    guard.count(7);
    advance(21_600);
    assertThat(guard.violation()).isNull();
    advance(1);
    assertThat(guard.violation())
        .isEqualTo(
            "Expected a body within 21600 s (quiver.limits.upload-seconds) but found it"
                + " unfinished at byte offset 7");
    assertThat(download.violation()).isNull();
  }
}
