package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// When a response counts as slow: after its patience, and half of its time, with its client.
class TextStreamTest {

  private final AtomicLong now = new AtomicLong(1_000);

  /// A response whose client takes `waits` nanoseconds for each write.
  private TextStream stream(long waits) {
    return new TextStream(_ -> now.addAndGet(waits), now::get);
  }

  @Test
  void waitingForHalfOfTheTimeIsNotSlow() throws IOException {
    TextStream stream = stream(100);
    for (int i = 0; i < 10; i++) {
      now.addAndGet(100);
      stream.write(MemorySegment.NULL);
    }
    assertThat(stream.isSlow(0)).isFalse();
    stream.write(MemorySegment.NULL);
    assertThat(stream.isSlow(0)).isTrue();
  }

  @Test
  void patienceIsAddedToHalfOfTheTime() throws IOException {
    TextStream stream = stream(100);
    stream.write(MemorySegment.NULL);
    assertThat(stream.isSlow(50)).isFalse();
    assertThat(stream.isSlow(49)).isTrue();
  }

  @Test
  void renderingMakesUpForWaiting() throws IOException {
    TextStream stream = stream(100);
    stream.write(MemorySegment.NULL);
    assertThat(stream.isSlow(0)).isTrue();
    now.addAndGet(100);
    assertThat(stream.isSlow(0)).isFalse();
  }

  @Test
  void presentWaitCounts() throws IOException {
    TextStream[] stream = new TextStream[1];
    stream[0] =
        new TextStream(
            _ -> {
              now.addAndGet(100);
              assertThat(stream[0].isSlow(50)).isFalse();
              assertThat(stream[0].isSlow(49)).isTrue();
            },
            now::get);
    stream[0].write(MemorySegment.NULL);
  }

  @Test
  void failedWriteEndsTheWait() {
    TextStream stream =
        new TextStream(
            _ -> {
              throw new IOException("The client went away");
            },
            now::get);
    assertThatThrownBy(() -> stream.write(MemorySegment.NULL)).isInstanceOf(IOException.class);
    now.addAndGet(1_000);
    assertThat(stream.isSlow(0)).isFalse();
  }
}
