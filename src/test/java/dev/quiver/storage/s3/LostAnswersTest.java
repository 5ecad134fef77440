package dev.quiver.storage.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.storage.Blob;
import dev.quiver.storage.BlobUpload;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Connections that end before their answers do.
class LostAnswersTest extends WatchedBucket {

  /// The put happened although its answer never came; only the next one knows.
  @Test
  void aPutWhoseAnswerWasLostIsAFailureAndTheNextTellsTheTruth() throws IOException {
    S3BlobStore store = open(100);
    MemorySegment content = random("manifests/a", 1);
    server.cutNextAnswer("PUT", 0);
    assertThatThrownBy(() -> store.putIfAbsent("manifests/a", content))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("at key manifests/a");
    assertThat(server.take("PUT")).isEqualTo(1);
    assertThat(store.putIfAbsent("manifests/a", content)).isFalse();
    assertHolds(store, "manifests/a", content);
  }

  /// Its caller cannot begin it again, so that its outcome is found out.
  @Test
  void anUploadWhoseAnswerWasLostIsKnownAgain() throws IOException {
    S3BlobStore store = open(100);
    for (int mebibytes : new int[] {1, 20}) {
      String key = "data/" + mebibytes;
      MemorySegment content = random(key, mebibytes);
      try (BlobUpload upload = store.begin(key)) {
        upload.write(content);
        server.cutNextAnswer(mebibytes == 1 ? "PUT" : "POST", 0);
        assertThat(upload.commit()).isTrue();
      }
      assertHolds(store, key, content);
      try (BlobUpload upload = store.begin(key)) {
        upload.write(content);
        assertThat(upload.commit()).isFalse();
      }
    }
  }

  @Test
  void anAnswerThatWasCutIsAskedForAgain() throws IOException {
    MemorySegment content = put("data/a", 20);
    S3BlobStore store = open(100);
    server.cutNextAnswer("GET", 10_000);
    try (Blob blob = store.open("data/a")) {
      assertThat(server.take("GET")).isEqualTo(2);
      server.cutNextAnswer("GET", MEBIBYTE);
      assertHolds(blob, content, MEBIBYTE, 10);
      server.cutNextAnswer("GET", MEBIBYTE);
      assertHolds(blob, content);
      assertThat(server.take("GET")).isEqualTo(2 + 3);
    }
  }

  /// The client of the service hears of it long before it has sent everything.
  @Test
  void anUploadEndsSoonWhenTheStoreHasGone() throws IOException {
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
  void aBlobThatIsNotKeptIsReadOnWhereItsAnswerEnded() throws IOException {
    MemorySegment content = put("data/a", 20);
    S3BlobStore store = open(10);
    try (Blob blob = store.open("data/a")) {
      server.cutNextAnswer("GET", 3 * MEBIBYTE);
      assertHolds(blob, content);
      assertThat(server.take("GET")).isEqualTo(1 + 1 + 3);
      server.cutNextAnswer("GET", 0);
      assertHolds(blob, content, 10 * MEBIBYTE, 1000);
    }
  }
}
