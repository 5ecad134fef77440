package dev.quiver.store.blob.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests that a file contains exactly the written bytes, however they were written.
class FolderSpoolTest {

  private static final Path LOCKS = Path.of("/proc/locks");
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  @TempDir private Path folder;

  private static byte[] random(int byteSize, long seed) {
    byte[] bytes = new byte[byteSize];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /// The sizes reserve more than is finally written, less, and nothing.
  @ParameterizedTest
  @ValueSource(ints = {50_000, 4_000_000, 4_300_000, 20_000_001, 60_000_000})
  void fileContainsExactlyTheWrittenBytes(int byteSize) throws Exception {
    byte[] bytes = random(byteSize, byteSize);
    Random chance = new Random(byteSize);
    BlobStore store = FolderBlobStore.open(folder);
    try (BlobUpload upload = store.begin("data/1.arrow");
        Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocate(byteSize).copyFrom(MemorySegment.ofArray(bytes));
      int position = 0;
      while (position < byteSize) {
        int maximum = chance.nextBoolean() ? 3_000_000 : 1_000;
        int count = Math.min(chance.nextInt(maximum), byteSize - position);
        boolean heap = chance.nextInt(4) == 0;
        upload.write((heap ? MemorySegment.ofArray(bytes) : source).asSlice(position, count));
        position += count;
        if (chance.nextInt(10) == 0) {
          int start = chance.nextInt(position + 1);
          assertThat(
                  upload
                      .map(start, position - start, arena)
                      .mismatch(source.asSlice(start, position - start)))
              .isEqualTo(-1);
        }
      }
      assertThat(upload.position()).isEqualTo(byteSize);
      upload.commit();
    }
    assertThat(Files.readAllBytes(folder.resolve("data/1.arrow"))).isEqualTo(bytes);
    try (Stream<Path> left = Files.list(folder.resolve("tmp"))) {
      assertThat(left).isEmpty();
    }
  }

  /// A process loses its lock on a file as soon as it closes any descriptor of it.
  @Test
  void reservingSpaceKeepsTheLock() throws Exception {
    assumeTrue(Files.isReadable(LOCKS), "this system does not list its locks");
    MemorySegment piece = MemorySegment.ofArray(random(1 << 20, 1));
    Path file;
    try (FolderSpool spool = FolderSpool.create(folder, /* writesBack= */ false)) {
      file = spool.path();
      for (int i = 0; i < 30; i++) {
        assertThat(Files.size(file))
            .isBetween(spool.position(), Math.max(spool.position() * 2, 8 << 20));
        spool.write(piece);
      }
      assumeTrue(Files.size(file) > spool.position(), "this file system reserves nothing");
      assertThat(Files.size(file)).isLessThanOrEqualTo((30 << 20) + ReservedSpace.STEP_BYTE_SIZE);
      String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
      assertThat(Files.readString(LOCKS)).contains(inode);
      assertThat(descriptors(file)).isEqualTo(2);
      spool.complete(/* synced= */ true);
      assertThat(Files.size(file)).isEqualTo(spool.position());
      assertThat(Files.readString(LOCKS)).contains(inode);
    }
    assertThat(descriptors(file)).isZero();
    assertThat(file).doesNotExist();
  }

  /// Returns the process's open descriptors of a file, which may be deleted.
  private static long descriptors(Path file) throws IOException {
    try (Stream<Path> open = Files.list(OPEN_FILES)) {
      return open.filter(descriptor -> target(descriptor).startsWith(file.toString())).count();
    }
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException closedMeanwhile) {
      return "";
    }
  }

  @Test
  void largeWritesCoverWholePages() throws Exception {
    MemorySegment piece = MemorySegment.ofArray(random(300_000, 1));
    Path recorded = folder.resolve("writes.jfr");
    try (Recording recording = new Recording();
        FolderSpool spool = FolderSpool.create(folder, /* writesBack= */ false);
        Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocate(piece.byteSize()).copyFrom(piece);
      recording.enable("jdk.FileWrite").withoutThreshold().withoutStackTrace();
      recording.start();
      for (int i = 0; i < 20; i++) {
        spool.write(piece.asSlice(0, 100 + i));
        spool.write(source);
      }
      spool.complete(/* synced= */ false);
      recording.stop();
      recording.dump(recorded);
      List<Long> writes =
          RecordingFile.readAllEvents(recorded).stream()
              .filter(event -> spool.path().toString().equals(event.getString("path")))
              .map(event -> event.getLong("bytesWritten"))
              .toList();
      assertThat(writes).hasSize(21);
      assertThat(writes.subList(0, 20))
          .allMatch(count -> count > 0 && count % FolderSpool.BUFFER_BYTE_SIZE == 0);
      assertThat(writes.stream().mapToLong(Long::longValue).sum()).isEqualTo(spool.position());
      assertThat(
              Arrays.equals(
                  Files.readAllBytes(spool.path()),
                  100,
                  300_100,
                  piece.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE),
                  0,
                  300_000))
          .isTrue();
    }
  }

  /// The failure of the background sync is not reported again by the final one.
  @Test
  void rejectsCompletionAfterAFailedBackgroundSync() throws Exception {
    TemporaryFile broken = TemporaryFile.create(folder);
    broken.channel().close();
    WriteBack writeBack = new WriteBack(broken.channel(), /* enabled= */ true);
    try (FolderSpool spool = new FolderSpool(TemporaryFile.create(folder), writeBack)) {
      spool.write(MemorySegment.ofArray(new byte[(int) WriteBack.STEP_BYTE_SIZE]));
      assertThatThrownBy(() -> spool.complete(/* synced= */ true))
          .isInstanceOf(IOException.class)
          .hasMessage("Written data did not reach the disk");
      // Succeeds because durability is not requested.
      spool.complete(/* synced= */ false);
    }
  }
}
