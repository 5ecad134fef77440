package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;

/// `Repr-Digest` against the CRC-32C of the bytes that a client received.
@TestPropertySource(properties = "quiver.compaction.extents=0")
class ReprDigestTest extends RunningService {

  private static final String NAME = "Repr-Digest";

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 255})
  void coversAnyNumberOfExtents(int appends) throws Exception {
    String path = "/datasets/digest-" + appends;
    put(path, Streams.numbers(0, 3));
    for (int i = 1; i <= appends; i++) {
      assertThat(post(path, Streams.numbers(3 * i, 3)).statusCode()).isEqualTo(200);
    }
    assertThat(json(path + "/blobs").get("extents")).hasSizeGreaterThan(appends);
    for (String suffix : new String[] {".arrow", ".arrows", "@1.arrow", "@1.arrows", ""}) {
      assertDigest(path + suffix);
    }
  }

  private void assertDigest(String path) throws Exception {
    HttpResponse<byte[]> whole = get(path);
    String digest = digest(whole.body());
    assertThat(header(whole, NAME)).isEqualTo(digest);
    assertThat(header(head(path), NAME)).isEqualTo(digest);
    String etag = header(whole, "ETag");
    for (String range : new String[] {"bytes=8-20", "bytes=-1", "bytes=0-3,8-9"}) {
      HttpResponse<byte[]> part = get(path, "Range", range, "If-Range", etag);
      assertThat(part.statusCode()).isEqualTo(206);
      assertThat(header(part, NAME)).isEqualTo(digest);
    }
    HttpResponse<byte[]> notModified = get(path, "If-None-Match", etag);
    assertThat(notModified.statusCode()).isEqualTo(304);
    assertThat(header(notModified, NAME)).isEqualTo(digest);
  }

  private static String digest(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes);
    byte[] value = ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array();
    return "crc32c=:" + Base64.getEncoder().encodeToString(value) + ":";
  }

  @Test
  void hasTheSha256ThatTheClientWants() throws Exception {
    String path = "/datasets/digest-wanted";
    put(path, Streams.numbers(0, 1000));
    post(path, Streams.numbers(1000, 1000));
    String[] want = {"Want-Repr-Digest", "sha-256=1"};
    for (String suffix : new String[] {".arrow", ".arrows", "@1.arrow", "@1.feather", ""}) {
      HttpResponse<byte[]> whole = get(path + suffix, want);
      byte[] sha256 = MessageDigest.getInstance("SHA-256").digest(whole.body());
      String digest =
          digest(whole.body()) + ", sha-256=:" + Base64.getEncoder().encodeToString(sha256) + ":";
      assertThat(header(whole, NAME)).isEqualTo(digest);
      assertThat(header(head(path + suffix, want), NAME)).isEqualTo(digest);
      HttpResponse<byte[]> part =
          get(path + suffix, "Range", "bytes=3-9", "Want-Repr-Digest", "crc32c=2, sha-256=5");
      assertThat(part.statusCode()).isEqualTo(206);
      assertThat(header(part, NAME)).isEqualTo(digest);
      HttpResponse<byte[]> known =
          get(
              path + suffix,
              "If-None-Match",
              header(whole, "ETag"),
              "Want-Repr-Digest",
              "sha-256=1");
      assertThat(known.statusCode()).isEqualTo(304);
      assertThat(header(known, NAME)).isEqualTo(digest);
    }
  }

  /// The operating system sends damaged bytes as they are, and their receiver finds the damage.
  @Test
  void differsForDamagedBytes() throws Exception {
    put("/datasets/damaged-digest", Streams.numbers(0, 200_000));
    Damage.flipAtTheMiddle("damaged-digest");
    HttpResponse<byte[]> response = get("/datasets/damaged-digest.arrow");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, NAME)).startsWith("crc32c=:").isNotEqualTo(digest(response.body()));
  }

  /// Only stored bytes have a stored checksum.
  @ParameterizedTest
  @ValueSource(
      strings = {
        ".arrow?limit=1",
        ".arrows?offset=1",
        ".arrow?codec=zstd",
        ".csv",
        ".json",
        ".jsonl",
        "/schema",
        "/batches",
        "/batches/0",
        "/versions",
      })
  void isAbsentFromGeneratedData(String suffix) throws Exception {
    put("/datasets/generated", Streams.numbers(0, 3));
    HttpResponse<byte[]> response = get("/datasets/generated" + suffix);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, NAME)).isEmpty();
    HttpResponse<byte[]> wanted =
        get("/datasets/generated" + suffix, "Want-Repr-Digest", "sha-256=1");
    assertThat(header(wanted, NAME)).isEmpty();
  }

  @Test
  void isAbsentFromProblemsAndWrites() throws Exception {
    HttpResponse<byte[]> written = put("/datasets/problems", Streams.numbers(0, 3));
    assertThat(header(written, NAME)).isEmpty();
    HttpResponse<byte[]> failed = get("/datasets/problems.arrow", "If-Match", "\"other\"");
    assertThat(failed.statusCode()).isEqualTo(412);
    assertThat(header(failed, NAME)).isEmpty();
    HttpResponse<byte[]> beyond = get("/datasets/problems.arrow", "Range", "bytes=99999-");
    assertThat(beyond.statusCode()).isEqualTo(416);
    assertThat(header(beyond, NAME)).isEmpty();
  }
}
