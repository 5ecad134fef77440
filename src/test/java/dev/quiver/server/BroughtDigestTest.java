package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;

/// SHA-256 on request, above `quiver.limits.digest-bytes`: the digest that the upload brought, of
/// the representation that is that upload.
@TestPropertySource(properties = {"quiver.limits.digest-bytes=2000", "quiver.compaction.extents=0"})
class BroughtDigestTest extends RunningService {

  private static String digest(String algorithm, byte[] body) throws Exception {
    byte[] digest = MessageDigest.getInstance(algorithm).digest(body);
    return algorithm.toLowerCase() + "=:" + Base64.getEncoder().encodeToString(digest) + ":";
  }

  /// Checks that a path has a SHA-256, which is right, or none.
  private void assertDigest(String path, boolean isKnown) throws Exception {
    HttpResponse<byte[]> whole = get(path, "Want-Repr-Digest", "sha-256=1, crc32c=0");
    assertThat(whole.statusCode()).isEqualTo(200);
    assertThat(header(whole, "Repr-Digest"))
        .isEqualTo(isKnown ? digest("SHA-256", whole.body()) : "");
    HttpResponse<byte[]> head = head(path, "Want-Repr-Digest", "sha-256=1, crc32c=0");
    assertThat(header(head, "Repr-Digest")).isEqualTo(header(whole, "Repr-Digest"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Content-Digest", "Repr-Digest"})
  void equalsTheDigestOfTheUploadedStream(String name) throws Exception {
    String path = "/datasets/brought-" + name;
    byte[] large = Streams.numbers(0, 1000);
    put(path, large, name, "md5=:AAAA:, " + digest("SHA-256", large));
    assertDigest(path, true);
    assertDigest(path + ".arrows", true);
    assertDigest(path + ".arrow", false);
    assertDigest(path + ".arrows?codec=zstd", false);
    assertDigest(path + ".arrows?limit=999", false);
    byte[] small = Streams.numbers(0, 100);
    post(path, small, name, digest("SHA-256", small));
    assertDigest(path + "@1.arrows", true);
    assertDigest(path + "@2.arrows", false);
    put(path, small, name, digest("SHA-256", small));
    assertDigest(path + ".arrows", true);
    assertDigest(path + ".arrow", true);
    assertDigest(path + "@2.arrows", false);
  }

  @Test
  void equalsTheDigestOfTheUploadedFile() throws Exception {
    put("/datasets/brought-original", Streams.table(Codec.LZ4, 1000));
    byte[] file = get("/datasets/brought-original.arrow").body();
    assertThat(file).hasSizeGreaterThan(2000);
    HttpResponse<byte[]> created =
        post("/datasets", file, "Content-Digest", digest("SHA-256", file));
    assertThat(created.statusCode()).isEqualTo(201);
    assertDigest(header(created, "Location") + ".arrow", true);
    assertDigest(header(created, "Location") + ".arrows", false);
  }

  /// A coded body and a form have digests of their own bytes, which are not served.
  @Test
  void differsForOtherBytes() throws Exception {
    byte[] stream = Streams.numbers(0, 1000);
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream encoder = new GZIPOutputStream(coded)) {
      encoder.write(stream);
    }
    String digest = digest("SHA-256", coded.toByteArray());
    for (String name : new String[] {"Content-Digest", "Repr-Digest"}) {
      HttpResponse<byte[]> put =
          put(
              "/datasets/brought-coded",
              coded.toByteArray(),
              "Content-Encoding",
              "gzip",
              name,
              digest);
      assertThat(put.statusCode()).isIn(200, 201);
      assertDigest("/datasets/brought-coded.arrows", false);
    }
    ByteArrayOutputStream form = new ByteArrayOutputStream();
    form.writeBytes(
        "--b\r\nContent-Disposition: form-data; name=data\r\n\r\n".getBytes("US-ASCII"));
    form.writeBytes(stream);
    form.writeBytes("\r\n--b--\r\n".getBytes("US-ASCII"));
    HttpResponse<byte[]> posted =
        post(
            "/datasets",
            form.toByteArray(),
            "Content-Type",
            "multipart/form-data; boundary=b",
            "Content-Digest",
            digest("SHA-256", form.toByteArray()));
    assertThat(posted.statusCode()).isEqualTo(201);
    assertDigest(header(posted, "Location") + ".arrows", false);
    put("/datasets/brought-other", stream, "Content-Digest", digest("SHA-512", stream));
    assertDigest("/datasets/brought-other.arrows", false);
    put("/datasets/brought-other", stream);
    assertDigest("/datasets/brought-other.arrows", false);
  }
}
