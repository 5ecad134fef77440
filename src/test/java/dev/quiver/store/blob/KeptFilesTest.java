package dev.quiver.store.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.OverloadedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that are written once, and the room that they make for others.
class KeptFilesTest {

  private static final long LIMIT = 100;

  @TempDir private Path folder;
  private Spool spool;
  private KeptFiles files;
  private final List<String> written = new ArrayList<>();

  @BeforeEach
  void open() {
    spool = new Spool(folder, new Limit("quiver.spool.bytes", LIMIT));
    files = spool.kept();
  }

  @AfterEach
  void close() {
    spool.close();
  }

  private SpooledFile file(String content) throws IOException {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    return SpooledFile.written(sink -> sink.write(MemorySegment.ofArray(bytes)), spool);
  }

  private KeptFile open(String key, String content) throws IOException {
    return files.open(
        key,
        () -> {
          written.add(key);
          return file(content);
        });
  }

  private static String range(KeptFile file, long byteOffset, long byteSize) throws IOException {
    ByteArrayOutputStream found = new ByteArrayOutputStream();
    file.write(
        byteOffset,
        byteSize,
        BlobSink.reading(part -> found.writeBytes(part.toArray(LittleEndian.INT8))));
    return found.toString(StandardCharsets.UTF_8);
  }

  private List<Path> spooled() throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(path -> path.getFileName().toString().startsWith("file-")).toList();
    }
  }

  @Test
  void fileIsWrittenOnceAndReadInRanges() throws IOException {
    for (int i = 0; i < 3; i++) {
      try (KeptFile file = open("a", "0123456789")) {
        assertThat(file.byteSize()).isEqualTo(10);
        assertThat(range(file, 0, 10)).isEqualTo("0123456789");
        assertThat(range(file, 3, 4)).isEqualTo("3456");
      }
    }
    assertThat(written).containsExactly("a");
    assertThat(spool.taken()).isEqualTo(10);
    assertThat(spooled()).hasSize(1);
  }

  @Test
  void fileThatWasNotUsedForTheLongestTimeMakesRoom() throws IOException {
    open("a", "a".repeat(40)).close();
    open("b", "b".repeat(40)).close();
    open("a", "").close();
    open("c", "c".repeat(60)).close();
    assertThat(spool.taken()).isEqualTo(100);
    open("a", "").close();
    open("b", "b".repeat(60)).close();
    assertThat(written).containsExactly("a", "b", "c", "b");
    assertThat(spooled()).hasSize(2);
  }

  @Test
  void otherFilesTakeTheRoomOfKeptOnes() throws IOException {
    open("a", "a".repeat(100)).close();
    try (SpooledFile _ = file("b".repeat(100))) {
      assertThat(spool.taken()).isEqualTo(100);
      assertThat(spooled()).hasSize(1);
    }
    assertThat(spool.taken()).isZero();
  }

  @Test
  void fileInUseMakesNoRoom() throws IOException {
    KeptFile first = open("a", "a".repeat(40));
    KeptFile second = open("a", "");
    assertThatThrownBy(() -> open("b", "b".repeat(61)))
        .isInstanceOf(OverloadedException.class)
        .hasMessageContaining("quiver.spool.bytes");
    first.close();
    assertThatThrownBy(() -> open("b", "b".repeat(61))).isInstanceOf(OverloadedException.class);
    assertThat(range(second, 0, 40)).isEqualTo("a".repeat(40));
    second.close();
    open("b", "b".repeat(61)).close();
    assertThat(spooled()).hasSize(1);
  }

  @Test
  void fileBeyondTheLimitIsRejectedAndLeavesNothing() throws IOException {
    open("a", "a".repeat(100)).close();
    assertThatThrownBy(() -> open("b", "b".repeat(101)))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("quiver.spool.bytes");
    assertThat(spool.taken()).isEqualTo(100);
    assertThat(spooled()).hasSize(1);
  }

  @Test
  void failureIsNotKept() throws IOException {
    assertThatThrownBy(() ->
            files.open(
                "a",
                () -> {
                  throw new IOException("lost");
                }))
        .isInstanceOf(IOException.class)
        .hasMessage("lost");
    open("a", "a").close();
    assertThat(written).containsExactly("a");
  }

  @Test
  void filesAreCounted() throws IOException {
    Spool large = new Spool(folder, new Limit("quiver.spool.bytes", Long.MAX_VALUE));
    for (int i = 0; i <= KeptFiles.COUNT_MAXIMUM; i++) {
      large.kept().open("" + i, () -> SpooledFile.written(_ -> {}, large)).close();
    }
    assertThat(spooled()).hasSize(KeptFiles.COUNT_MAXIMUM);
    large.close();
    assertThat(spooled()).isEmpty();
  }

  @Test
  void requestsShareTheWritingUntilAllClientsLeave() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean firstWaits = new AtomicBoolean(true);
    AtomicBoolean secondWaits = new AtomicBoolean(true);
    CountDownLatch secondAsks = new CountDownLatch(1);
    try (ExecutorService clients = Executors.newFixedThreadPool(2)) {
      Future<?> first =
          clients.submit(() ->
              Cancellation.when(() -> !firstWaits.get())
                  .call(() ->
                      files.open(
                          "a",
                          () -> {
                            begun.countDown();
                            while (true) {
                              Cancellation.current().throwIfRequested();
                              Thread.onSpinWait();
                            }
                          })));
      begun.await();
      Future<?> second =
          clients.submit(() ->
              Cancellation.when(
                      () -> {
                        secondAsks.countDown();
                        return !secondWaits.get();
                      })
                  .call(() -> files.open("a", () -> file("never written"))));
      secondAsks.await();
      firstWaits.set(false);
      secondWaits.set(false);
      assertThatThrownBy(first::get).hasCauseInstanceOf(CancelledException.class);
      assertThatThrownBy(second::get).hasCauseInstanceOf(CancelledException.class);
    }
    assertThat(spool.taken()).isZero();
    open("a", "a").close();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void requestThatWaitsGetsTheFileOfAnother() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch asked = new CountDownLatch(1);
    try (ExecutorService clients = Executors.newFixedThreadPool(2)) {
      Future<KeptFile> first =
          clients.submit(() ->
              files.open(
                  "a",
                  () -> {
                    begun.countDown();
                    await(asked);
                    return file("shared");
                  }));
      begun.await();
      Future<KeptFile> second =
          clients.submit(() ->
              Cancellation.when(
                      () -> {
                        asked.countDown();
                        return false;
                      })
                  .call(() -> files.open("a", () -> file("another"))));
      try (KeptFile one = first.get();
          KeptFile other = second.get()) {
        assertThat(range(one, 0, 6)).isEqualTo("shared");
        assertThat(other).isSameAs(one);
      }
    }
    assertThat(spooled()).hasSize(1);
  }
}
