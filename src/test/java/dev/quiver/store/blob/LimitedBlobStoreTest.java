package dev.quiver.store.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.store.blob.folder.FolderBlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests what counts towards the limit: existing blobs, new blobs, and open uploads.
class LimitedBlobStoreTest {

  private static final long MAXIMUM = 100;

  @TempDir private Path folder;
  private BlobStore store;

  @BeforeEach
  void open() throws IOException {
    store = reopened();
  }

  private BlobStore reopened() throws IOException {
    return LimitedBlobStore.of(FolderBlobStore.open(folder), new Limit("storage-bytes", MAXIMUM));
  }

  private static MemorySegment bytes(int count) {
    return MemorySegment.ofArray(new byte[count]);
  }

  private void assertRoomForExactly(int count) throws IOException {
    assertThatThrownBy(() -> store.putIfAbsent("probe", bytes(count + 1)))
        .isInstanceOf(StorageFullException.class)
        .hasMessage("Expected at most 100 bytes in the store (storage-bytes) but found 101");
    assertThat(store.putIfAbsent("probe", bytes(count))).isTrue();
    assertThat(store.delete("probe")).isTrue();
  }

  @Test
  void blobsCountUntilTheyAreDeleted() throws IOException {
    assertRoomForExactly(100);
    store.putIfAbsent("a", bytes(60));
    assertRoomForExactly(40);
    assertThat(store.putIfAbsent("a", bytes(30))).isFalse();
    assertRoomForExactly(40);
    assertThat(store.delete("none")).isFalse();
    assertRoomForExactly(40);
    store.delete("a");
    assertRoomForExactly(100);
  }

  @Test
  void existingBlobsCount() throws IOException {
    store.putIfAbsent("a", bytes(60));
    store.putIfAbsent("b/c", bytes(30));
    store = reopened();
    assertRoomForExactly(10);
  }

  @Test
  void uploadsCountUntilTheyAreDiscarded() throws IOException {
    try (BlobUpload upload = store.begin("a")) {
      upload.write(bytes(20));
      upload.write(bytes(50));
      assertRoomForExactly(30);
      assertThatThrownBy(() -> upload.write(bytes(31))).isInstanceOf(StorageFullException.class);
    }
    assertRoomForExactly(100);
    try (BlobUpload upload = store.begin("a")) {
      upload.write(bytes(70));
      upload.commit();
    }
    assertRoomForExactly(30);
  }

  @Test
  void spoolsCountUntilTheyAreClosed() throws IOException {
    try (BlobSpool spool = store.spool()) {
      spool.write(bytes(70));
      assertRoomForExactly(30);
      assertThatThrownBy(() -> spool.write(bytes(31))).isInstanceOf(StorageFullException.class);
    }
    assertRoomForExactly(100);
  }

  @Test
  void linkedFilesCountInFull() throws IOException {
    Path linked = Files.write(folder.resolve("linked.tmp"), new byte[60]);
    assertThat(store.link("a", linked)).isTrue();
    assertRoomForExactly(40);
    assertThatThrownBy(() -> store.link("b", linked))
        .isInstanceOf(StorageFullException.class)
        .hasMessage("Expected at most 100 bytes in the store (storage-bytes) but found 120");
    assertRoomForExactly(40);
    store.delete("a");
    assertRoomForExactly(100);
  }
}
