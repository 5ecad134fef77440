package dev.quiver.server.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.server.Streams;
import dev.quiver.store.blob.BlobStore;
import java.net.http.HttpResponse;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;

/// The limits of resumable uploads, on both sides.
@TestPropertySource(
    properties = {
      "quiver.limits.request-bytes=20KB",
      "quiver.limits.storage-bytes=60KB",
      "quiver.sample=false",
      "quiver.storage.path=${test.folder}/resumable-limits",
      "quiver.uploads.parts=3"
    })
class ResumableUploadLimitsTest extends ResumableUploads {

  private static final int REQUEST_BYTES = 20 << 10;

  @Autowired private BlobStore blobs;

  @Test
  void theWholeMayBeAsLargeAsARequest() throws Exception {
    String most = Integer.toString(REQUEST_BYTES);
    String more = Integer.toString(REQUEST_BYTES + 1);
    HttpResponse<byte[]> tooLong = create("PUT", "/datasets/large", NEWEST, "Upload-Length", more);
    assertTooLarge(tooLong, "quiver.limits.request-bytes");
    assertThat(header(tooLong, "Upload-Limit"))
        .isEqualTo("max-size=20480, min-append-size=6827, max-age=259200");
    String stated =
        header(create("PUT", "/datasets/large", NEWEST, "Upload-Length", most), "Location");
    assertThat(delete(stated).statusCode()).isEqualTo(204);

    String unstated = header(create("PUT", "/datasets/large", NEWEST), "Location");
    byte[] half = new byte[REQUEST_BYTES / 2];
    assertThat(patch(unstated, half, 0, false, NEWEST).statusCode()).isEqualTo(204);
    byte[] tooMuch = new byte[half.length + 1];
    HttpResponse<byte[]> excess = patch(unstated, tooMuch, half.length, false, NEWEST);
    assertTooLarge(excess, "quiver.limits.request-bytes");
    assertThat(header(excess, "Upload-Limit")).contains("max-size=20480");
    assertThat(offset(unstated)).isEqualTo(half.length);
    assertThat(patch(unstated, half, half.length, false, NEWEST).statusCode()).isEqualTo(204);
    assertThat(delete(unstated).statusCode()).isEqualTo(204);
  }

  @Test
  void partsAreLimited() throws Exception {
    byte[] whole = Streams.numbers(0, 5);
    String upload = header(create("PUT", "/datasets/pieces", NEWEST), "Location");
    for (int i = 0; i < 3; i++) {
      assertThat(patch(upload, Arrays.copyOfRange(whole, i, i + 1), i, false, NEWEST).statusCode())
          .isEqualTo(204);
    }
    byte[] rest = Arrays.copyOfRange(whole, 3, whole.length);
    assertTooLarge(patch(upload, rest, 3, true, NEWEST), "quiver.uploads.parts");
    assertThat(offset(upload)).isEqualTo(3);
    assertThat(delete(upload).statusCode()).isEqualTo(204);
  }

  @Test
  void partsCountAgainstTheStorage() throws Exception {
    byte[] part = new byte[REQUEST_BYTES];
    String first = header(create("PUT", "/datasets/a", NEWEST), "Location");
    String second = header(create("PUT", "/datasets/b", NEWEST), "Location");
    String third = header(create("PUT", "/datasets/c", NEWEST), "Location");
    assertThat(patch(first, part, 0, false, NEWEST).statusCode()).isEqualTo(204);
    assertThat(patch(second, part, 0, false, NEWEST).statusCode()).isEqualTo(204);
    HttpResponse<byte[]> full = patch(third, part, 0, false, NEWEST);
    assertThat(full.statusCode()).isEqualTo(507);
    assertThat(text(full)).contains("quiver.limits.storage-bytes");
    assertThat(offset(third)).isZero();
    assertThat(delete(first).statusCode()).isEqualTo(204);
    assertThat(patch(third, part, 0, false, NEWEST).statusCode()).isEqualTo(204);
    for (String upload : new String[] {second, third}) {
      assertThat(delete(upload).statusCode()).isEqualTo(204);
    }
    assertThat(blobs.list("upload", null, 10)).isEmpty();
  }

  private void assertTooLarge(HttpResponse<byte[]> response, String key) {
    assertThat(response.statusCode()).as(text(response)).isEqualTo(413);
    assertThat(text(response)).contains(key);
  }
}
