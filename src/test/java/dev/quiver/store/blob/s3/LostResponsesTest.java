package dev.quiver.store.blob.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.StoreRequests;
import dev.quiver.store.blob.StoreUnavailableException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests connections that close before the end of the response.
@Tag("random")
class LostResponsesTest extends WatchedBucket {

  private static final int STATUS_BYTE_SIZE = "HTTP/1.1 200 OK\r\n".length();

  /// The put took effect although its response was lost; only the next put can tell.
  @Test
  void putWithALostResponseFailsAndTheNextPutSettlesIt() throws IOException {
    S3BlobStore store = open(100);
    MemorySegment content = random("manifests/a", 1);
    server.truncateNextResponse("PUT", 0);
    assertThatThrownBy(() -> store.putIfAbsent("manifests/a", content))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("at key manifests/a");
    assertThat(server.take("PUT")).isEqualTo(1);
    assertThat(store.putIfAbsent("manifests/a", content)).isFalse();
    assertHolds(store, "manifests/a", content);
  }

  /// The caller cannot repeat an upload, so the store determines its outcome.
  @Test
  void recognizesAnUploadWithALostResponse() throws IOException {
    S3BlobStore store = open(100);
    for (int mebibytes : new int[] {1, 20}) {
      String key = "data/" + mebibytes;
      MemorySegment content = random(key, mebibytes);
      try (BlobUpload upload = store.begin(key)) {
        upload.write(content);
        server.truncateNextResponse(mebibytes == 1 ? "PUT" : "POST", 0);
        assertThat(upload.commit()).isTrue();
      }
      assertHolds(store, key, content);
      try (BlobUpload upload = store.begin(key)) {
        upload.write(content);
        assertThat(upload.commit()).isFalse();
      }
    }
  }

  /// The library takes for a whole head what arrived of one.
  @Tag("long")
  @Test
  void rejectsACutHead() throws IOException {
    MemorySegment content = random("small", 1).asSlice(0, 1000);
    writer.putIfAbsent("data/a", content);
    S3BlobStore store = open(100);
    int cut = 0;
    for (int byteSize = STATUS_BYTE_SIZE; byteSize < 150; byteSize += 11) {
      server.truncateNextResponse("GET", byteSize);
      assertThat(store.byteSize("data/a")).isEqualTo(content.byteSize());
      String key = "data/b" + byteSize;
      server.truncateNextResponse("PUT", byteSize);
      for (boolean responded = false; !responded; ) {
        try {
          store.putIfAbsent(key, content);
          responded = true;
        } catch (StoreUnavailableException e) {
          cut++;
        }
      }
      server.truncateNextResponse("GET", byteSize);
      assertThat(store.list(key, null, 1)).containsExactly(key);
      S3BlobStore other = open(100);
      server.truncateNextResponse("GET", byteSize);
      assertHolds(other, key, content);
    }
    assertThat(cut).isPositive();
  }

  /// A head that is cut may have a part of a size, of a tag or of the id of a writer.
  @Test
  void rejectsAHeadCutAnywhere() throws IOException {
    MemorySegment content = random("small", 1).asSlice(0, 1000);
    Bucket requests = new Bucket(options(100), new BlobIdentityCache(), StoreRequests.NONE);
    requests.putIfAbsent("data/a", "the-writer", content);
    Bucket.Writing whole = Objects.requireNonNull(requests.writing("data/a"));
    assertThat(whole.writer()).isEqualTo("the-writer");
    assertThat(whole.identity().byteSize()).isEqualTo(1000);
    for (int byteSize = STATUS_BYTE_SIZE; byteSize < 350; byteSize += Trials.stride()) {
      server.truncateNextResponse("GET", byteSize);
      assertThat(requests.writing("data/a")).isEqualTo(whole);
    }
    for (int byteSize = STATUS_BYTE_SIZE; byteSize < 250; byteSize += 3 * Trials.stride()) {
      String key = "data/" + byteSize;
      server.truncateNextResponse("PUT", byteSize);
      BlobIdentity told = null;
      try {
        told = requests.putIfAbsent(key, "the-writer", content);
      } catch (StoreUnavailableException e) {
        // No whole tag has arrived.
      }
      BlobIdentity written = Objects.requireNonNull(requests.writing(key)).identity();
      assertThat(told).isIn(null, written);
    }
    requests.close();
  }

  /// The library takes for an invalid document what arrived of one. A service would not start.
  @Test
  void requestsAListAgainThatIsCut() throws IOException {
    writer.putIfAbsent("data/a", random("small", 1).asSlice(0, 1000));
    S3BlobStore store = open(100);
    for (int byteSize = 150; byteSize < 700; byteSize += 11) {
      server.truncateNextResponse("GET", byteSize);
      assertThat(store.list("data/", null, 10)).containsExactly("data/a");
    }
  }

  @Tag("long")
  @Test
  void beginsAnUploadAgainWhoseFirstResponseIsCut() throws IOException {
    S3BlobStore store = open(100);
    MemorySegment content = random("data/a", 20);
    for (int byteSize = 250; byteSize < 500; byteSize += 50) {
      try (BlobUpload upload = store.begin("data/" + byteSize)) {
        server.truncateNextResponse("POST", byteSize);
        upload.write(content);
        assertThat(upload.commit()).isTrue();
      }
    }
  }

  /// Some stores list an object without its tag while they delete it.
  @Test
  void requestsAListAgainThatLacksTags() throws IOException {
    S3BlobStore store = open(100);
    store.putIfAbsent("data/a", random("data/a", 1));
    server.replaceInNextResponses(Bucket.ATTEMPTS - 1, "ETag>", "Else>");
    assertThat(store.list("data/", null, 10)).containsExactly("data/a");
    server.replaceInNextResponses(Bucket.ATTEMPTS, "ETag>", "Else>");
    assertThatThrownBy(() -> store.list("data/", null, 10))
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("at key data/a");
    server.replaceInNextResponses(Bucket.ATTEMPTS - 1, "Size>", "Else>");
    assertThat(store.byteSizes("data/", null, 10)).containsOnlyKeys("data/a");
  }

  @Test
  void requestsATruncatedResponseAgain() throws IOException {
    MemorySegment content = put("data/a", 20);
    S3BlobStore store = open(100);
    server.truncateNextResponse("GET", 10_000);
    try (Blob blob = store.open("data/a")) {
      assertThat(server.take("GET")).isEqualTo(2);
      server.truncateNextResponse("GET", MEBIBYTE);
      assertHolds(blob, content, MEBIBYTE, 10);
      server.truncateNextResponse("GET", MEBIBYTE);
      assertHolds(blob, content);
      assertThat(server.take("GET")).isEqualTo(2 + 3);
    }
  }

  /// The client of the service learns of it long before it has sent everything.
  @Tag("long")
  @Test
  void uploadFailsEarlyIfTheStoreIsUnavailable() throws IOException {
    S3BlobStore store = open(100);
    MemorySegment content = random("data/a", 20);
    try (BlobUpload upload = store.begin("data/a")) {
      upload.write(content);
      server.close();
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 10; i++) {
                  upload.write(content);
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("at key data/a");
    }
    assertThat(writer.exists("data/a")).isFalse();
  }

  @Test
  void resumesReadingAnUncachedBlobAfterATruncatedResponse() throws IOException {
    MemorySegment content = put("data/a", 20);
    S3BlobStore store = open(10);
    try (Blob blob = store.open("data/a")) {
      server.truncateNextResponse("GET", 3 * MEBIBYTE);
      assertHolds(blob, content);
      assertThat(server.take("GET")).isEqualTo(1 + 1 + 3);
      server.truncateNextResponse("GET", 0);
      assertHolds(blob, content, 10 * MEBIBYTE, 1000);
    }
  }
}
