package dev.quiver.store.blob.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.S3Options;
import dev.quiver.store.blob.S3ProxyServer;
import dev.quiver.store.blob.WatchedServer;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A bucket behind a proxy that counts requests. Another store writes blobs to it directly.
abstract class WatchedBucket {

  static final int MEBIBYTE = 1 << 20;

  @TempDir Path folder;
  private String bucket;
  WatchedServer server;
  S3BlobStore writer;
  private final List<S3BlobStore> opened = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    bucket = S3ProxyServer.newBucket();
    server = new WatchedServer(S3ProxyServer.endpoint());
    writer = S3BlobStore.open(S3ProxyServer.options(bucket, folder.resolve("writer"), 1 << 30));
    opened.add(writer);
  }

  @AfterEach
  void stop() throws IOException {
    for (S3BlobStore store : opened) {
      store.close();
    }
    server.close();
  }

  S3BlobStore open(int mebibytes) throws IOException {
    S3BlobStore store = S3BlobStore.open(options(mebibytes));
    opened.add(store);
    server.take("GET");
    return store;
  }

  S3Options options(int mebibytes) {
    S3Options direct = S3ProxyServer.options(bucket, folder.resolve("cache"), 0);
    return new S3Options(
        bucket,
        server.endpoint(),
        "",
        "",
        true,
        direct.checksums(),
        folder.resolve("cache"),
        (long) mebibytes * MEBIBYTE);
  }

  static MemorySegment random(String key, int mebibytes) {
    byte[] bytes = new byte[mebibytes * MEBIBYTE];
    new Random(key.hashCode()).nextBytes(bytes);
    return MemorySegment.ofArray(bytes);
  }

  MemorySegment put(String key, int mebibytes) throws IOException {
    MemorySegment content = random(key, mebibytes);
    try (BlobUpload upload = writer.begin(key)) {
      upload.write(content);
      assertThat(upload.commit()).isTrue();
    }
    return content;
  }

  /// Reads the blob in the way a response does.
  static void assertHolds(Blob blob, MemorySegment expected) throws IOException {
    MemorySegment buffer = MemorySegment.ofArray(new byte[256 << 10]);
    assertThat(blob.byteSize()).isEqualTo(expected.byteSize());
    for (long done = 0; done < expected.byteSize(); done += buffer.byteSize()) {
      long count = blob.read(done, buffer);
      assertThat(MemorySegment.mismatch(buffer, 0, count, expected, done, done + count))
          .isEqualTo(-1);
      assertThat(count).isEqualTo(Math.min(buffer.byteSize(), expected.byteSize() - done));
    }
  }

  static void assertHolds(S3BlobStore store, String key, MemorySegment expected)
      throws IOException {
    try (Blob blob = store.open(key)) {
      assertHolds(blob, expected);
    }
  }

  static void assertHolds(Blob blob, MemorySegment expected, long byteOffset, int byteSize)
      throws IOException {
    MemorySegment read = MemorySegment.ofArray(new byte[byteSize]);
    assertThat(blob.read(byteOffset, read)).isEqualTo(byteSize);
    assertThat(read.mismatch(expected.asSlice(byteOffset, byteSize))).isEqualTo(-1);
  }

  List<Path> files(String kind) throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("cache"))) {
      return all.filter(path -> Objects.requireNonNull(path.getParent()).endsWith(kind)).toList();
    }
  }

  long cachedByteSize() throws IOException {
    long byteSize = 0;
    for (Path file : files("whole")) {
      byteSize += Files.size(file);
    }
    return byteSize;
  }
}
