package dev.quiver.sql.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.store.blob.Spool;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The buffer of a result, between a writer and a reader of any speed.
class ResultBufferTest {

  @TempDir private Path folder;

  private Spool spool() {
    return new Spool(folder, new Limit("quiver.spool.bytes", Long.MAX_VALUE));
  }

  private ResultBuffer buffer(long limit) {
    return new ResultBuffer(spool(), new Limit("quiver.sql.result-bytes", limit));
  }

  @Test
  void readerGetsTheBytesOfTheWriterAtAnySpeed() throws Exception {
    byte[] expected = new byte[20 << 20];
    new Random(1).nextBytes(expected);
    try (ResultBuffer buffer = buffer(Long.MAX_VALUE);
        ExecutorService writer = Executors.newSingleThreadExecutor()) {
      Future<?> written = writer.submit(() -> write(buffer, expected, new Random(2)));
      byte[] found = read(buffer, expected.length, new Random(3));
      written.get();
      assertThat(found).isEqualTo(expected);
      assertThat(buffer.read(MemorySegment.ofArray(new byte[1]))).isEqualTo(-1);
    }
    assertThat(files()).isEmpty();
  }

  @Test
  void bytesBeyondMemoryWaitInAFileAndKeepTheirOrder() throws IOException {
    byte[] expected = new byte[5 << 20];
    new Random(4).nextBytes(expected);
    try (ResultBuffer buffer = buffer(Long.MAX_VALUE)) {
      write(buffer, expected, new Random(5));
      assertThat(read(buffer, expected.length, new Random(6))).isEqualTo(expected);
    }
    assertThat(files()).isEmpty();
  }

  @Test
  void resultOfTheLimitPassesAndOneByteMoreDoesNot() throws IOException {
    try (ResultBuffer buffer = buffer(1000)) {
      assertThat(buffer.write(bytes(1000))).isTrue();
      assertThatThrownBy(() -> buffer.write(bytes(1)))
          .isInstanceOf(TooLargeInputException.class)
          .hasMessageContaining("at most 1000 bytes of a result (quiver.sql.result-bytes)");
    }
  }

  @Test
  void failureAtTheStartIsThrownBeforeAnythingIsRead() {
    try (ResultBuffer buffer = buffer(1000)) {
      buffer.end(new SqlException.Timeout("too long", /* hint= */ null));
      assertThatThrownBy(() -> buffer.awaitStart(Duration.ofHours(1)))
          .isInstanceOf(SqlException.Timeout.class);
    }
  }

  @Test
  void failureFollowsTheBytesBeforeIt() throws IOException {
    try (ResultBuffer buffer = buffer(1000)) {
      buffer.write(bytes(10));
      buffer.end(new SqlException.Timeout("too long", /* hint= */ null));
      MemorySegment destination = MemorySegment.ofArray(new byte[100]);
      assertThat(buffer.read(destination)).isEqualTo(10);
      assertThatThrownBy(() -> buffer.read(destination)).isInstanceOf(SqlException.Timeout.class);
    }
  }

  @Test
  void startIsNotAwaitedOnceMuchIsHere() throws IOException {
    try (ResultBuffer buffer = buffer(Long.MAX_VALUE)) {
      buffer.write(bytes(ResultBuffer.MEMORY_BYTE_SIZE));
      buffer.awaitStart(Duration.ofHours(1));
    }
  }

  @Test
  void readerWhoseClientLeftGivesUp() {
    try (ResultBuffer buffer = Cancellation.when(() -> true).call(() -> buffer(10))) {
      assertThatThrownBy(() -> buffer.awaitStart(Duration.ofHours(1)))
          .isInstanceOf(CancelledException.class);
      assertThatThrownBy(() -> buffer.read(MemorySegment.ofArray(new byte[1])))
          .isInstanceOf(CancelledException.class);
    }
  }

  @Test
  void writerLearnsThatTheReaderClosed() throws IOException {
    ResultBuffer buffer = buffer(1000);
    buffer.close();
    assertThat(buffer.write(bytes(1))).isFalse();
  }

  private static MemorySegment bytes(int count) {
    return Arena.ofAuto().allocate(count);
  }

  private static boolean write(ResultBuffer buffer, byte[] bytes, Random random)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment all = arena.allocate(bytes.length);
      MemorySegment.copy(bytes, 0, all, LittleEndian.INT8, 0, bytes.length);
      int position = 0;
      while (position < bytes.length) {
        int count = Math.min(bytes.length - position, 1 + random.nextInt(300_000));
        assertThat(buffer.write(all.asSlice(position, count))).isTrue();
        position += count;
      }
      buffer.end(null);
      return true;
    }
  }

  private static byte[] read(ResultBuffer buffer, int byteSize, Random random) throws IOException {
    byte[] found = new byte[byteSize];
    MemorySegment all = MemorySegment.ofArray(found);
    int position = 0;
    while (position < byteSize) {
      int most = Math.min(byteSize - position, 1 + random.nextInt(500_000));
      position += (int) buffer.read(all.asSlice(position, most));
    }
    return found;
  }

  private Stream<Path> files() throws IOException {
    return Files.list(folder);
  }
}
