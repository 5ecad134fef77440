package dev.quiver.store.blob.s3;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.StoreRequests;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.util.FileSystemUtils;

/// Tests the requests to the store, and the contents of the local cache.
class BlobCacheTest extends WatchedBucket {

  @Test
  void fetchesOnlyRequestedChunksAndEachOnce() throws IOException {
    MemorySegment content = put("data/a", 40);
    S3BlobStore store = open(100);
    try (Blob blob = store.open("data/a")) {
      assertThat(server.take("GET")).isEqualTo(1);
      assertHolds(blob, content, 20 * MEBIBYTE, 1000);
      assertHolds(blob, content, 22 * MEBIBYTE, MEBIBYTE);
      assertThat(server.take("GET")).isEqualTo(1);
      assertHolds(blob, content, 16 * MEBIBYTE - 10, 8 * MEBIBYTE + 20);
      assertThat(server.take("GET")).isEqualTo(2);
      assertThat(blob.localPath()).isNull();
    }
    assertThat(files("partial")).hasSize(1);
    assertThat(files("whole")).isEmpty();
    assertHolds(store, "data/a", content);
    assertThat(server.take("GET")).isEqualTo(2);
    assertThat(files("partial")).isEmpty();
    assertThat(Files.mismatch(files("whole").getFirst(), writer.localPath("data/a"))).isEqualTo(-1);
    assertThat(store.localPath("data/a")).isEqualTo(files("whole").getFirst());
    assertHolds(store, "data/a", content);
    assertThat(server.take("GET")).isZero();
  }

  @Test
  void mapsARangeAfterFetchingIt() throws IOException {
    MemorySegment content = put("data/a", 20);
    S3BlobStore store = open(100);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment mapped;
      try (Blob blob = store.open("data/a")) {
        mapped = blob.map(5 * MEBIBYTE, 6 * MEBIBYTE, arena);
        assertThatThrownBy(() -> blob.map(15 * MEBIBYTE, 6 * MEBIBYTE, arena))
            .isInstanceOf(IndexOutOfBoundsException.class);
      }
      assertThat(mapped.mismatch(content.asSlice(5 * MEBIBYTE, 6 * MEBIBYTE))).isEqualTo(-1);
    }
    assertThat(server.take("GET")).isEqualTo(3);
  }

  @Tag("long")
  @Test
  void fetchesAChunkOnceForConcurrentReaders() throws Exception {
    MemorySegment content = put("data/a", 40);
    S3BlobStore store = open(100);
    try (Blob first = store.open("data/a");
        var threads = Executors.newFixedThreadPool(16)) {
      assertThat(server.take("GET")).isEqualTo(1);
      Callable<Void> read =
          () -> {
            assertHolds(store, "data/a", content);
            assertHolds(first, content);
            return null;
          };
      for (var result : threads.invokeAll(Collections.nCopies(16, read))) {
        result.get();
      }
      assertThat(server.take("GET")).isEqualTo(5);
    }
  }

  /// After two sequential chunks, the following ones are fetched before they are requested.
  @Tag("long")
  @Test
  void fetchesLikelyChunksAhead() throws Exception {
    MemorySegment content = put("data/a", 48);
    S3BlobStore store = open(100);
    try (Blob blob = store.open("data/a")) {
      assertHolds(blob, content, 0, 10);
      assertThat(server.take("GET")).isEqualTo(1 + 1);
      assertHolds(blob, content, 8 * MEBIBYTE, 10);
      eventually(() -> assertThat(server.count("GET")).isEqualTo(1 + 4));
      assertHolds(blob, content, 8 * MEBIBYTE, 40 * MEBIBYTE);
      assertThat(server.take("GET")).isEqualTo(1 + 4);
    }
  }

  @Tag("long")
  @Test
  void evictsTheLeastRecentlyUsedBlobsAtTheLimit() throws IOException {
    S3BlobStore store = open(32);
    List<MemorySegment> contents = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      contents.add(put("data/" + i, 10));
      assertHolds(store, "data/" + i, contents.get(i));
      server.take("GET");
      assertHolds(store, "data/0", contents.getFirst());
      assertThat(server.take("GET")).isZero();
      assertThat(cachedByteSize()).isLessThanOrEqualTo(32 * MEBIBYTE);
    }
    server.take("GET");
    assertHolds(store, "data/0", contents.get(0));
    assertHolds(store, "data/3", contents.get(3));
    assertHolds(store, "data/4", contents.get(4));
    assertThat(server.take("GET")).isZero();
    assertHolds(store, "data/1", contents.get(1));
    assertThat(server.take("GET")).isEqualTo(2);
  }

  @Tag("long")
  @Test
  void neverEvictsAnOpenBlobAndReadsOthersUncached() throws IOException {
    S3BlobStore store = open(32);
    List<MemorySegment> contents = new ArrayList<>();
    List<Blob> blobs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      contents.add(put("data/" + i, 10));
      blobs.add(store.open("data/" + i));
      assertHolds(blobs.get(i), contents.get(i));
    }
    assertThat(cachedByteSize()).isLessThanOrEqualTo(32 * MEBIBYTE);
    server.take("GET");
    for (int i = 0; i < 3; i++) {
      assertHolds(blobs.get(i), contents.get(i));
      assertThat(blobs.get(i).localPath()).isRegularFile();
    }
    assertThat(server.take("GET")).isZero();
    try (Arena arena = Arena.ofConfined()) {
      assertThat(
              blobs
                  .get(4)
                  .map(1, 9 * MEBIBYTE, arena)
                  .mismatch(contents.get(4).asSlice(1, 9 * MEBIBYTE)))
          .isEqualTo(-1);
    }
    for (Blob blob : blobs) {
      blob.close();
    }
    assertHolds(store, "data/4", contents.get(4));
    assertThat(cachedByteSize()).isLessThanOrEqualTo(32 * MEBIBYTE);
  }

  @Tag("long")
  @Test
  void completeBlobsSurviveARestartAndPartialOnesDoNot() throws IOException {
    MemorySegment whole = put("data/whole", 10);
    MemorySegment part = put("data/part", 20);
    S3BlobStore store = open(100);
    assertHolds(store, "data/whole", whole);
    try (Blob blob = store.open("data/part")) {
      assertHolds(blob, part, 0, 10);
    }
    store.close();
    store = open(100);
    assertThat(files("partial")).isEmpty();
    assertHolds(store, "data/whole", whole);
    assertThat(server.take("GET")).isEqualTo(1);
    try (Blob blob = store.open("data/part")) {
      assertHolds(blob, part, 0, 10);
    }
    assertThat(server.take("GET")).isEqualTo(2);
    store.close();
    open(9);
    assertThat(files("whole")).isEmpty();
  }

  /// Two processes must not remove each other's files.
  @Test
  void processesUseSeparateFolders() throws IOException {
    S3BlobStore one = open(100);
    S3BlobStore other = open(100);
    assertThat(one.scratchFolder()).isNotEqualTo(other.scratchFolder());
    one.close();
    assertThat(open(100).scratchFolder()).isEqualTo(one.scratchFolder());
  }

  @Test
  void readsABlobLargerThanTheCacheUncached() throws IOException {
    MemorySegment content = put("data/a", 20);
    S3BlobStore store = open(10);
    assertHolds(store, "data/a", content);
    assertThat(server.take("GET")).isEqualTo(1 + 3);
    try (Arena arena = Arena.ofConfined();
        Blob blob = store.open("data/a")) {
      MemorySegment mapped = blob.map(1, 19 * MEBIBYTE, arena);
      assertThat(mapped.mismatch(content.asSlice(1, 19 * MEBIBYTE))).isEqualTo(-1);
      assertHolds(blob, content, 10 * MEBIBYTE, 1000);
    }
    assertThat(files("whole")).isEmpty();
    assertThat(files("partial")).isEmpty();
  }

  @Test
  void doesNotRequestBytesThatThisProcessWrote() throws IOException {
    S3BlobStore store = open(100);
    MemorySegment content = random("data/a", 20);
    try (BlobUpload upload = store.begin("data/a")) {
      upload.write(content);
      upload.commit();
    }
    store.putIfAbsent("manifests/a", content.asSlice(0, 1000));
    assertHolds(store, "data/a", content);
    assertHolds(store, "manifests/a", content.asSlice(0, 1000));
    assertThat(server.take("GET") + server.take("HEAD")).isZero();
  }

  @Test
  void uncachedBytesOfADeletedBlobAreMissing() throws IOException {
    put("data/a", 20);
    S3BlobStore store = open(100);
    try (Blob blob = store.open("data/a")) {
      writer.delete("data/a");
      assertThatThrownBy(() -> blob.read(0, MemorySegment.ofArray(new byte[10])))
          .hasMessage("Expected a blob but found none at key data/a");
    }
    assertThat(store.exists("data/a")).isFalse();
    assertThat(Objects.toString(store.localPath("data/a"), "none")).isEqualTo("none");
  }

  /// A read never mixes bytes of both blobs.
  @Test
  void uncachedBytesOfAReplacedBlobAreMissing() throws IOException {
    put("data/a", 20);
    S3BlobStore store = open(100);
    MemorySegment replaced = random("replaced", 20);
    try (Blob blob = store.open("data/a")) {
      blob.read(0, MemorySegment.ofArray(new byte[10]));
      writer.delete("data/a");
      try (BlobUpload upload = writer.begin("data/a")) {
        upload.write(replaced);
        upload.commit();
      }
      assertThatThrownBy(() -> blob.read(15 * MEBIBYTE, MemorySegment.ofArray(new byte[10])))
          .hasMessage("Expected a blob but found none at key data/a");
    }
    assertHolds(store, "data/a", replaced);
  }

  /// Any process may reuse a key after its blob was deleted.
  @Test
  void readsTheNewBlobOnceItsIdentityIsKnown() throws IOException {
    S3BlobStore store = open(100);
    MemorySegment first = random("first", 1);
    MemorySegment second = random("second", 1);
    List<Observation> observations =
        List.of(
            () -> assertThat(store.putIfAbsent("manifests/a", first)).isFalse(),
            () -> {
              server.truncateNextResponse("PUT", 0);
              assertThatThrownBy(() -> store.putIfAbsent("manifests/a", first))
                  .isInstanceOf(IOException.class);
            },
            () -> {
              try (BlobUpload upload = store.begin("manifests/a")) {
                upload.write(random("parts", 10));
                assertThat(upload.commit()).isFalse();
              }
            },
            () -> assertThat(store.list("manifests/", null, 9)).containsExactly("manifests/a"),
            () -> assertThat(store.exists("manifests/a")).isTrue());
    for (Observation observation : observations) {
      writer.putIfAbsent("manifests/a", first);
      assertHolds(store, "manifests/a", first);
      writer.delete("manifests/a");
      writer.putIfAbsent("manifests/a", second);
      observation.run();
      assertHolds(store, "manifests/a", second);
      writer.delete("manifests/a");
      assertThat(store.exists("manifests/a")).isFalse();
    }
  }

  private interface Observation {

    void run() throws IOException;
  }

  @Test
  void doesNotRequestAnUnchangedBlobAgain() throws IOException {
    MemorySegment small = put("data/small", 1);
    MemorySegment parts = put("data/parts", 20);
    S3BlobStore store = open(100);
    assertHolds(store, "data/small", small);
    assertHolds(store, "data/parts", parts);
    assertThat(store.list("data/", null, 9)).hasSize(2);
    assertThat(store.exists("data/small")).isTrue();
    assertThat(store.exists("data/parts")).isTrue();
    server.take("GET");
    assertHolds(store, "data/small", small);
    assertHolds(store, "data/parts", parts);
    assertThat(server.take("GET")).isZero();
  }

  /// The file is not recreated either, since it would have holes in place of earlier chunks.
  @Tag("long")
  @Test
  void readsUncachedAfterAPartialFileWasRemoved() throws IOException {
    MemorySegment content = put("data/a", 40);
    S3BlobStore store = open(100);
    try (Blob blob = store.open("data/a");
        Blob other = store.open("data/a")) {
      assertHolds(blob, content, 0, 1000);
      Files.delete(files("partial").getFirst());
      assertHolds(blob, content, 16 * MEBIBYTE, 1000);
      assertThat(files("partial")).isEmpty();
      WritableByteChannel target = Channels.newChannel(OutputStream.nullOutputStream());
      assertThat(blob.transferTo(16 * MEBIBYTE, 1000, target)).isEqualTo(-1);
      try (Blob third = store.open("data/a")) {
        assertHolds(third, content, 0, 1000);
        assertHolds(other, content);
        assertHolds(blob, content);
        assertThat(files("whole")).isEmpty();
        assertHolds(third, content);
      }
    }
    assertThat(files("partial")).isEmpty();
    assertThat(Files.mismatch(files("whole").getFirst(), writer.localPath("data/a"))).isEqualTo(-1);
    server.take("GET");
    assertHolds(store, "data/a", content);
    assertThat(server.take("GET")).isZero();
  }

  /// Otherwise it would take up room forever.
  @Test
  void doesNotCountBytesOfADroppedFile() throws IOException {
    Bucket bucket = new Bucket(options(100), new BlobIdentityCache(), StoreRequests.NONE);
    CacheFolder files = CacheFolder.claim(options(100));
    BlobCache cache = BlobCache.open(bucket, files, 100);
    BlobIdentity identity = new BlobIdentity("tag", 60);
    CachedFile first = cache.acquire("data/a", identity);
    assertThat(cache.reserve(first, 20)).isTrue();
    assertThat(cache.reserve(first, 20)).isTrue();
    cache.lose(first);
    assertThat(cache.byteSize()).isZero();
    cache.unreserve(first, 20);
    assertThat(cache.reserve(first, 20)).isFalse();
    assertThat(cache.byteSize()).isZero();
    CachedFile second = cache.acquire("data/a", identity);
    assertThat(second).isNotSameAs(first);
    assertThat(cache.reserve(second, 60)).isTrue();
    first.openForWriting().close();
    second.openForWriting().close();
    assertThat(files("partial")).hasSize(2);
    cache.lose(first);
    cache.release(first);
    assertThat(cache.byteSize()).isEqualTo(60);
    cache.release(second);
    assertThat(cache.acquire("data/a", identity)).isSameAs(second);
    files.lock().close();
    bucket.close();
  }

  @Tag("long")
  @Test
  void readsUncachedAfterTheCacheWasRemoved() throws IOException {
    MemorySegment content = put("data/a", 20);
    S3BlobStore store = open(100);
    assertHolds(store, "data/a", content);
    Files.delete(files("whole").getFirst());
    assertHolds(store, "data/a", content);
    assertHolds(store, "data/a", content);
    assertThat(files("whole")).hasSize(1);
    try (Blob blob = store.open("data/a")) {
      FileSystemUtils.deleteRecursively(folder.resolve("cache"));
      assertHolds(blob, content);
    }
    assertHolds(store, "data/a", content);
  }
}
