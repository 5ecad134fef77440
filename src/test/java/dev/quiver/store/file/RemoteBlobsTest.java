package dev.quiver.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.OpenFiles;
import dev.quiver.store.UnreliableStore;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.blob.folder.FolderBlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Blobs that are opened together.
class RemoteBlobsTest {

  private static final int COUNT = 100;

  @TempDir private Path folder;
  private BlobStore store;
  private final List<String> keys = new ArrayList<>();

  @BeforeEach
  void put() throws IOException {
    store = FolderBlobStore.open(folder);
    for (int i = 0; i < COUNT; i++) {
      keys.add("data/" + i);
      store.putIfAbsent(keys.get(i), MemorySegment.ofArray(new byte[i]));
    }
  }

  /// No open returns before all have begun.
  @Test
  void opensAllBlobsConcurrently() throws IOException {
    CountDownLatch begun = new CountDownLatch(COUNT);
    BlobStore slow =
        new UnreliableStore(store) {
          @Override
          public Blob open(String key) throws IOException {
            begun.countDown();
            try {
              begun.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            return super.open(key);
          }
        };
    Map<String, Blob> blobs = RemoteBlobs.open(slow, keys);
    assertThat(blobs).hasSize(COUNT);
    for (int i = 0; i < COUNT; i++) {
      try (Blob blob = Objects.requireNonNull(blobs.get(keys.get(i)))) {
        assertThat(blob.byteSize()).isEqualTo(i);
      }
    }
  }

  @Test
  void closesAllBlobsIfOneIsMissing() throws IOException {
    store.delete("data/50");
    assertThatThrownBy(() -> RemoteBlobs.open(store, keys))
        .isInstanceOf(NoSuchBlobException.class)
        .hasMessage("Expected a blob but found none at key data/50");
    assertThat(OpenFiles.below(folder)).isEmpty();
  }
}
