package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import dev.quiver.arrow.type.ArrowType;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;

/// Uploads with a content coding or a digest. The service decodes and verifies them. It rejects
/// unacceptable headers before it requests the body, and mismatching bodies once they are read.
@TestPropertySource(properties = "quiver.limits.request-bytes=1MB")
class CodedUploadTest extends RunningService {

  private static byte[] encode(String coding, byte[] content) throws Exception {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (OutputStream encoder =
        coding.contains("gzip") ? new GZIPOutputStream(coded) : new ZstdOutputStream(coded)) {
      encoder.write(content);
    }
    return coded.toByteArray();
  }

  private static String digest(String algorithm, byte[] body) throws Exception {
    byte[] digest = MessageDigest.getInstance(algorithm).digest(body);
    return algorithm.toLowerCase() + "=:" + Base64.getEncoder().encodeToString(digest) + ":";
  }

  private void assertRejected(HttpResponse<byte[]> response, int status, String type, String detail)
      throws Exception {
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:" + type);
    assertThat(json(response).get("detail").asString()).isEqualTo(detail);
    assertThat(get("/datasets/rejected").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", "GZip", "zstd", "identity, zstd"})
  void decodesAContentCoding(String coding) throws Exception {
    byte[] stream = Streams.numbers(0, 1000);
    byte[] coded = encode(coding.toLowerCase(), stream);
    assertThat(coded.length).isLessThan(stream.length);
    assertThat(put("/datasets/coded", coded, "Content-Encoding", coding).statusCode())
        .isIn(200, 201);
    assertThat(get("/datasets/coded.arrows").body()).isEqualTo(stream);
    byte[] file = get("/datasets/coded.arrow").body();
    HttpResponse<byte[]> posted =
        post("/datasets", encode(coding.toLowerCase(), file), "Content-Encoding", coding);
    assertThat(posted.statusCode()).isEqualTo(201);
    assertThat(get(header(posted, "Location") + ".arrow").body()).isEqualTo(file);
    HttpResponse<byte[]> report =
        post(
            "/inspect",
            coded,
            "Content-Encoding",
            coding,
            "Content-Type",
            "application/octet-stream");
    assertThat(json(report).at("/summary/bytes").intValue()).isEqualTo(stream.length);
  }

  @Test
  void decodesABodyWithoutALength() throws Exception {
    byte[] coded = encode("zstd", Streams.numbers(0, 1000));
    StringBuilder request =
        new StringBuilder(
            "PUT /datasets/coded-chunks HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Content-Encoding: zstd\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (byte next : coded) {
      request.append("1\r\n").append((char) (next & 0xFF)).append("\r\n");
    }
    try (RawHttp connection = new RawHttp(port)) {
      connection.sendExactly(request + "0\r\n\r\n");
      assertThat(connection.readToEnd()).startsWith("HTTP/1.1 201 ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"br", "deflate", "aws-chunked", "gzip, zstd", "gzip, gzip", "compress"})
  void rejectsOtherCodingsAndListsTheSupportedOnes(String coding) throws Exception {
    HttpResponse<byte[]> response =
        put("/datasets/rejected", Streams.numbers(0, 1), "Content-Encoding", coding);
    assertRejected(
        response,
        415,
        "unsupported-media-type",
        "Expected gzip or zstd, or no coding, but found " + coding + " at header Content-Encoding");
    assertThat(header(response, "Accept-Encoding")).isEqualTo("gzip, zstd");
  }

  @Test
  void rejectsBodiesThatContradictTheirCoding() throws Exception {
    byte[] stream = Streams.numbers(0, 1000);
    assertRejected(
        put("/datasets/rejected", stream, "Content-Encoding", "gzip"),
        400,
        "malformed",
        "Expected a gzip member, 1F 8B 08 and flags of 00 to 1F but found FF FF FF FF at byte"
            + " offset 0");
    assertRejected(
        put("/datasets/rejected", stream, "Content-Encoding", "zstd"),
        400,
        "malformed",
        "Expected Zstandard data but found other (Unknown frame descriptor) at byte offset 0");
  }

  /// Without the end of the coding, even a complete Arrow stream may be altered.
  @ParameterizedTest
  @CsvSource({"gzip, a gzip member", "zstd, a Zstandard frame"})
  void truncatedCodedBodyStoresNothing(String coding, String element) throws Exception {
    byte[] coded = encode(coding, Streams.numbers(0, 1000));
    byte[] truncated = Arrays.copyOf(coded, coded.length - 1);
    assertRejected(
        put("/datasets/rejected", truncated, "Content-Encoding", coding),
        400,
        "truncated",
        "Expected the rest of "
            + element
            + " but found the end of the body at byte offset "
            + truncated.length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "zstd"})
  void requestLimitCountsDecodedBytes(String coding) throws Exception {
    byte[] fits =
        encode(coding, Streams.slot(new ArrowType.FixedSizeBinary(900_000), new byte[900_000]));
    assertThat(put("/datasets/fits-" + coding, fits, "Content-Encoding", coding).statusCode())
        .isEqualTo(201);
    byte[] bomb =
        encode(coding, Streams.slot(new ArrowType.FixedSizeBinary(5_000_000), new byte[5_000_000]));
    assertThat(bomb.length).isLessThan(10_000);
    HttpResponse<byte[]> response = put("/datasets/rejected", bomb, "Content-Encoding", coding);
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(json(response).get("detail").asString())
        .startsWith("Expected at most 1048576 bytes in a request (quiver.limits.request-bytes)");
    assertThat(get("/datasets/rejected").statusCode()).isEqualTo(404);
  }

  /// Empty frames decode to nothing, so only their coded bytes can count.
  @Test
  void requestLimitCountsTheBytesOfEmptyFrames() throws Exception {
    byte[] empty = Zstd.compress(new byte[0]);
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    for (int i = 0; i <= (1 << 20) / empty.length; i++) {
      frames.writeBytes(empty);
    }
    String body = frames.toString(StandardCharsets.ISO_8859_1);
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(
          "PUT /datasets/rejected HTTP/1.1\nHost: localhost\nContent-Encoding: zstd\n"
              + "Transfer-Encoding: chunked\n\n");
      connection.sendExactly(Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n");
      assertThat(connection.readUntil("}\n"))
          .startsWith("HTTP/1.1 413 ")
          .contains("Expected at most 1048576 bytes in a request (quiver.limits.request-bytes)");
    }
  }

  @Test
  void rejectsABodyThatContradictsItsDigest() throws Exception {
    byte[] stream = Streams.numbers(0, 1000);
    byte[] other = Streams.numbers(1, 1000);
    for (String value :
        new String[] {
          digest("SHA-256", stream),
          digest("SHA-512", stream) + ", " + digest("SHA-256", stream),
          "md5=:AAAA:, " + digest("SHA-256", stream) + " ,unixsum=:AAAA:",
          "crc32c=:AAAAAA==:",
        }) {
      assertThat(put("/datasets/digest", stream, "Content-Digest", value).statusCode())
          .isIn(200, 201);
    }
    for (String header : new String[] {"Content-Digest", "Repr-Digest"}) {
      for (String algorithm : new String[] {"SHA-256", "SHA-512"}) {
        assertRejected(
            put("/datasets/rejected", stream, header, digest(algorithm, other)),
            400,
            "digest-mismatch",
            "Expected a body with the digest %s but found one with %s at header %s"
                .formatted(digest(algorithm, other), digest(algorithm, stream), header));
      }
    }
    assertThat(
            put(
                    "/datasets/rejected",
                    stream,
                    "Content-Digest",
                    digest("SHA-256", stream),
                    "Repr-Digest",
                    digest("SHA-256", other))
                .statusCode())
        .isEqualTo(400);
    byte[] file = get("/datasets/digest.arrow").body();
    assertThat(
            put("/datasets/rejected", file, "Content-Digest", digest("SHA-256", stream))
                .statusCode())
        .isEqualTo(400);
    assertThat(post("/datasets", file, "Content-Digest", digest("SHA-256", file)).statusCode())
        .isEqualTo(201);
  }

  /// RFC 9530 defines the digest of the content over the bytes as sent. A representation has its
  /// coding as well.
  @ParameterizedTest
  @CsvSource({
    "gzip, Content-Digest",
    "zstd, Content-Digest",
    "gzip, Repr-Digest",
    "zstd, Repr-Digest"
  })
  void digestCoversTheCodedBody(String coding, String header) throws Exception {
    byte[] stream = Streams.numbers(0, 1000);
    byte[] coded = encode(coding, stream);
    assertThat(
            put(
                    "/datasets/both",
                    coded,
                    "Content-Encoding",
                    coding,
                    header,
                    digest("SHA-256", coded))
                .statusCode())
        .isIn(200, 201);
    assertThat(
            put(
                    "/datasets/rejected",
                    coded,
                    "Content-Encoding",
                    coding,
                    header,
                    digest("SHA-256", stream))
                .statusCode())
        .isEqualTo(400);
    assertThat(get("/datasets/rejected").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sha-256", "sha-256=abc", "sha-256=:a:", "sha-256=:AAAA:,", ":AAAA:"})
  void rejectsInvalidDigests(String value) throws Exception {
    for (String header : new String[] {"Content-Digest", "Repr-Digest"}) {
      assertRejected(
          put("/datasets/rejected", Streams.numbers(0, 1), header, value),
          400,
          "bad-request",
          "Expected digests such as sha-256=:…: but found " + value + " at header " + header);
    }
  }

  @Test
  void errorsTruncateLongHeaders() throws Exception {
    for (String header : new String[] {"Content-Encoding", "Content-Digest"}) {
      HttpResponse<byte[]> response =
          put("/datasets/rejected", Streams.numbers(0, 1), header, "x".repeat(5000));
      assertThat(text(response)).hasSizeLessThan(500).contains("xxx", "at header " + header);
    }
  }

  /// An error that the headers alone reveal is reported without a `100 Continue`.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Content-Encoding: br | 415",
        "Content-Digest: none | 400",
        "Content-Range: bytes 0-9/100 | 400",
        "Content-Type: image/png | 415",
        "Content-Type: multipart/form-data | 400",
        "Content-Length: 1048577 | 413",
        "Sec-Fetch-Site: cross-site | 403",
        "Host: elsewhere.example | 421",
      })
  void rejectsUnacceptableHeadersBeforeRequestingTheBody(String header, int status)
      throws Exception {
    String length = header.startsWith("Content-Length") ? "" : "Content-Length: 1000000\n";
    String host = header.startsWith("Host") ? "" : "Host: localhost\n";
    String response =
        RawHttp.exchange(
            port,
            "POST /datasets HTTP/1.1\n"
                + host
                + length
                + "Expect: 100-continue\n"
                + header
                + "\n\n");
    assertThat(response)
        .startsWith("HTTP/1.1 " + status + " ")
        .contains("\r\nContent-Type: application/problem+json\r\n")
        .contains("\r\nConnection: close\r\n");
  }
}
