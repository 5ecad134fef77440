package dev.quiver.store.blob.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobStoreContract;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.S3Options;
import dev.quiver.store.blob.S3ProxyServer;
import dev.quiver.store.blob.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/// Tests that a bucket satisfies the contract of blob stores, and how objects are written.
class S3BlobStoreTest extends BlobStoreContract {

  private static final long CACHE_BYTE_SIZE = 64 << 20;

  @TempDir private Path folder;
  private String bucket;
  private BlobStore store;

  @BeforeEach
  void open() throws IOException {
    bucket = S3ProxyServer.newBucket();
    store = reopened();
  }

  private BlobStore reopened() throws IOException {
    return S3BlobStore.open(S3ProxyServer.options(bucket, folder, CACHE_BYTE_SIZE));
  }

  @Override
  protected BlobStore store() {
    return store;
  }

  /// The server's files have longer names than its objects.
  @Override
  protected int maximumSegmentLength() {
    return 204;
  }

  @Test
  void aBucketThatIsGoneIsUnavailable() throws IOException {
    store.putIfAbsent("a", random(10));
    assertThat(store.isReachable()).isTrue();
    FileSystemUtils.deleteRecursively(S3ProxyServer.file(bucket, ""));
    assertThatThrownBy(() -> store.list("", null, 1)).isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> other().list("", null, 1))
        .isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> store.exists("b")).isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> store.delete("a")).isInstanceOf(StoreUnavailableException.class);
    assertThat(store.isReachable()).isFalse();
  }

  private static MemorySegment random(int byteSize) {
    byte[] bytes = new byte[byteSize];
    new Random(byteSize).nextBytes(bytes);
    return MemorySegment.ofArray(bytes);
  }

  private static void assertHolds(BlobStore store, String key, MemorySegment expected)
      throws IOException {
    try (Blob blob = store.open(key)) {
      assertThat(blob.byteSize()).isEqualTo(expected.byteSize());
      MemorySegment read = MemorySegment.ofArray(new byte[(int) expected.byteSize()]);
      assertThat(blob.read(0, read)).isEqualTo(expected.byteSize());
      assertThat(read.mismatch(expected)).isEqualTo(-1);
    }
  }

  /// Returns a store on the same bucket without any state in common.
  private BlobStore other() throws IOException {
    return S3BlobStore.open(
        S3ProxyServer.options(bucket, folder.resolve("other"), CACHE_BYTE_SIZE));
  }

  private String openUploads() throws IOException {
    URI uploads = S3ProxyServer.endpoint().resolve("/" + bucket + "?uploads");
    try (InputStream response = uploads.toURL().openStream()) {
      return new String(response.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /// Parts are sent while the rest is being written, and stay invisible until the end.
  @Test
  void sendsLargeBlobsInParts() throws IOException {
    for (int byteSize : new int[] {(8 << 20) - 1, 8 << 20, (8 << 20) + 1, 20 << 20}) {
      String key = "data/" + byteSize;
      MemorySegment content = random(byteSize);
      try (BlobUpload upload = store.begin(key)) {
        for (int done = 0; done < byteSize; done += 3 << 20) {
          upload.write(content.asSlice(done, Math.min(3 << 20, byteSize - done)));
        }
        assertThat(store.exists(key)).isFalse();
        assertThat(upload.commit()).isTrue();
        try (Arena arena = Arena.ofConfined()) {
          assertThat(upload.map(0, byteSize, arena).mismatch(content)).isEqualTo(-1);
        }
      }
      assertThat(store.exists(key)).isTrue();
      assertHolds(store, key, content);
      assertHolds(other(), key, content);
    }
  }

  @Test
  void keepsTheFirstOfTwoLargeBlobs() throws IOException {
    MemorySegment first = random(9 << 20);
    try (BlobUpload one = store.begin("data/a");
        BlobUpload other = store.begin("data/a")) {
      one.write(first);
      other.write(random(10 << 20));
      assertThat(one.commit()).isTrue();
      assertThat(other.commit()).isFalse();
    }
    assertHolds(other(), "data/a", first);
  }

  @Test
  void closingDiscardsALargeUpload() throws IOException {
    try (BlobUpload upload = store.begin("data/a")) {
      upload.write(random(20 << 20));
      assertThat(openUploads()).contains("data/a");
    }
    assertThat(openUploads()).doesNotContain("data/a");
    assertThat(store.exists("data/a")).isFalse();
    assertThat(store.list("", null, 9)).isEmpty();
  }

  /// The store may respond before reading a body that it rejects.
  @Test
  void acceptsAnEarlyResponse() throws IOException {
    store.putIfAbsent("manifests/a", bytes("first"));
    assertThat(store.putIfAbsent("manifests/a", random(7 << 20))).isFalse();
    assertThat(read("manifests/a")).isEqualTo("first");
  }

  @Test
  void storesObjectsUnderThePrefix() throws IOException {
    S3Options common = S3ProxyServer.options(bucket, folder, CACHE_BYTE_SIZE);
    BlobStore prefixed =
        S3BlobStore.open(
            new S3Options(
                bucket,
                common.endpoint(),
                "eu-central-1",
                "some/where",
                true,
                S3Options.Checksums.WHEN_SUPPORTED,
                folder,
                CACHE_BYTE_SIZE));
    prefixed.putIfAbsent("data/a", bytes("hello"));
    store.putIfAbsent("z", bytes("x"));
    assertThat(prefixed.list("", null, 9)).containsExactly("data/a");
    assertThat(prefixed.list("data/", "data/0", 9)).containsExactly("data/a");
    assertThat(store.list("", null, 9)).containsExactly("some/where/data/a", "z");
    assertHolds(store, "some/where/data/a", bytes("hello"));
  }

  @Test
  void errorNamesTheMissingBucket() {
    assertThatThrownBy(() ->
            S3BlobStore.open(S3ProxyServer.options("no-such-bucket", folder, CACHE_BYTE_SIZE)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("The specified bucket does not exist");
  }

  @Test
  void skipsObjectsWhoseNamesAreNotKeys() throws IOException {
    for (String name : List.of("NOTES/a", "Notes.txt", "c..", "d")) {
      HttpURLConnection connection =
          (HttpURLConnection)
              S3ProxyServer.endpoint().resolve("/" + bucket + "/" + name).toURL().openConnection();
      connection.setRequestMethod("PUT");
      connection.setDoOutput(true);
      connection.setRequestProperty("Content-Type", "application/octet-stream");
      connection.getOutputStream().close();
      assertThat(connection.getResponseCode()).isEqualTo(200);
    }
    assertThat(store.list("", null, 1)).containsExactly("d");
    assertThat(store.list("", null, 9)).containsExactly("d");
  }

  @Test
  void findsItsBlobsWhenOpenedAgain() throws IOException {
    store.putIfAbsent("data/a", bytes("hello"));
    assertHolds(reopened(), "data/a", bytes("hello"));
  }

  @Test
  void returnsTheLocalFileOfAPutBlob() throws IOException {
    store.putIfAbsent("data/a", bytes("hello"));
    assertThat(Objects.requireNonNull(store.localPath("data/a"))).hasContent("hello");
    assertThat(store.localPath("data/b")).isNull();
  }

  /// A blob that another process deleted and wrote again is a different blob.
  @Test
  void readsTheNewBlobUnderAReusedKey() throws IOException {
    store.putIfAbsent("data/a", bytes("first"));
    BlobStore another = other();
    another.delete("data/a");
    another.putIfAbsent("data/a", bytes("other"));
    assertHolds(reopened(), "data/a", bytes("other"));
  }
}
