package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStream;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/// Requests that need more memory than is free fail without affecting others.
@TestPropertySource(properties = "quiver.limits.in-flight-bytes=1MB")
@Import(OverloadTest.FailingController.class)
class OverloadTest extends RunningService {

  @Autowired private InFlightBytes inFlight;

  /// Waits, since the memory of a large document is released after its client has received it.
  @BeforeEach
  void assertNothingInFlight() {
    assertInFlight(0);
  }

  private void assertInFlight(long byteSize) {
    eventually(() -> assertThat(inFlight.taken()).isEqualTo(byteSize));
  }

  @RestController
  static class FailingController {

    @GetMapping("/test/memory")
    void fail() {
      throw new OutOfMemoryError("unable to create native thread: possibly out of memory");
    }
  }

  @Test
  void rejectsAnUploadLargerThanTheMemoryLimit() throws Exception {
    byte[] stream = new byte[400_000];
    stream[0] = stream[1] = stream[2] = stream[3] = -1;
    stream[5] = stream[6] = 5;
    HttpResponse<byte[]> response = put("/datasets/overload", stream);
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(json(response).at("/limit/key").asString())
        .isEqualTo("quiver.limits.in-flight-bytes");
    assertThat(json(response).at("/limit/maximum").longValue()).isEqualTo(1 << 20);
    assertNothingInFlight();
  }

  @Test
  void asksToRetryAnUploadWhileOtherRequestsHoldTheMemory() throws Exception {
    byte[] stream = Streams.numbers(0, 10);
    try (InFlightBytes.Charge others = inFlight.open()) {
      others.take(1 << 20, InputLocation.UNKNOWN);
      HttpResponse<byte[]> response = put("/datasets/again", stream);
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(header(response, "Retry-After")).isEqualTo("5");
      assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:overloaded");
      assertThat(json(response).get("detail").asString())
          .isEqualTo(
              "Expected at most 1048576 bytes in flight (quiver.limits.in-flight-bytes) but found"
                  + " more, with those of other requests");
    }
    assertThat(put("/datasets/again", stream).statusCode()).isEqualTo(201);
  }

  private static byte[] withWindow(int exponent, byte[] content) throws Exception {
    ByteArrayOutputStream encoded = new ByteArrayOutputStream();
    try (ZstdOutputStream encoder = new ZstdOutputStream(encoded).setWindowLog(exponent)) {
      encoder.write(content);
    }
    return encoded.toByteArray();
  }

  /// Decoding reserves the window, three blocks and working memory, however small the body.
  @ParameterizedTest
  @ValueSource(strings = {"/datasets", "/datasets/window", "/convert", "/inspect"})
  void rejectsAZstandardWindowLargerThanTheMemoryLimit(String path) throws Exception {
    byte[] stream = Streams.numbers(0, 10);
    HttpResponse<byte[]> response = post(path, withWindow(23, stream), "Content-Encoding", "zstd");
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected at most 1048576 bytes in flight (quiver.limits.in-flight-bytes) but found"
                + " 9076736 at byte offset 0");
    assertNothingInFlight();
    for (byte[] small : new byte[][] {withWindow(14, stream), Zstd.compress(stream)}) {
      assertThat(post(path, small, "Content-Encoding", "zstd").statusCode()).isIn(200, 201);
      assertNothingInFlight();
    }
  }

  @Test
  void asksToRetryAZstandardBodyWhileOtherRequestsHoldTheMemory() throws Exception {
    byte[] encoded = withWindow(17, Streams.numbers(0, 10));
    try (InFlightBytes.Charge others = inFlight.open()) {
      others.take(600_000, InputLocation.UNKNOWN);
      HttpResponse<byte[]> response =
          put("/datasets/window-again", encoded, "Content-Encoding", "zstd");
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(header(response, "Retry-After")).isEqualTo("5");
      assertInFlight(600_000);
    }
    assertThat(put("/datasets/window-again", encoded, "Content-Encoding", "zstd").statusCode())
        .isEqualTo(201);
    assertNothingInFlight();
  }

  @Test
  void asksToRetryALargeDocumentWhileOtherRequestsHoldTheMemory() throws Exception {
    put("/datasets/wide", Streams.columns(2000));
    try (InFlightBytes.Charge others = inFlight.open()) {
      others.take(1 << 20, InputLocation.UNKNOWN);
      HttpResponse<byte[]> response = get("/datasets/wide/schema");
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(header(response, "Retry-After")).isEqualTo("5");
      assertThat(get("/datasets/sample/schema").statusCode()).isEqualTo(200);
    }
    assertThat(get("/datasets/wide/schema").body()).hasSizeGreaterThan(64 << 10);
    assertNothingInFlight();
  }

  /// Each control character takes six bytes of JSON.
  @Test
  void rejectsADocumentLargerThanTheMemoryOfResponses() throws Exception {
    Field field = Field.of("\1".repeat(100_000), true, new ArrowType.Utf8());
    assertThat(put("/datasets/escaped", Streams.empty(field)).statusCode()).isEqualTo(201);
    HttpResponse<byte[]> response = get("/datasets/escaped/schema");
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(json(response).get("detail").asString())
        .startsWith(
            "Expected at most 524288 bytes of a document (quiver.limits.in-flight-bytes) but found ");
    assertNothingInFlight();
  }

  /// The metadata of one batch is charged as all that responses may have.
  @Test
  void indexesManyBatchesOfAWideDataset() throws Exception {
    String name = "n".repeat(60_000);
    ArrowType type = new ArrowType.FixedSizeBinary(8);
    byte[] one = Streams.slot(name, type, new byte[8]);
    int schemaByteSize = Streams.empty(Field.of(name, true, type)).length - 8;
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    stream.write(one, 0, schemaByteSize);
    for (int i = 0; i < 500; i++) {
      stream.write(one, schemaByteSize, one.length - 8 - schemaByteSize);
    }
    stream.write(one, one.length - 8, 8);
    assertThat(put("/datasets/indexed?batches=keep", stream.toByteArray()).statusCode())
        .isEqualTo(201);
    HttpResponse<byte[]> response = get("/datasets/indexed/batches");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).hasSizeGreaterThan(64 << 10);
    assertNothingInFlight();
  }

  /// The text of each type contains those of all fields below it.
  @Test
  void schemaDocumentsTruncateTheTextsOfDeepTypes() throws Exception {
    Field deep = Field.of("n".repeat(50_000), true, new ArrowType.Utf8());
    for (int i = 0; i < 20; i++) {
      deep = Field.of("s", true, new ArrowType.Struct(), deep);
    }
    put("/datasets/deep", Streams.empty(deep));
    HttpResponse<byte[]> response = get("/datasets/deep/schema");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(json(response).at("/fields/0/arrowType").asString())
        .startsWith("struct<s: struct<s: ")
        .endsWith("nn…");
    assertThat(text(get("/datasets/deep/schema"))).contains("n".repeat(50_000));
    assertNothingInFlight();
  }

  /// A client that reads nothing holds what its response decodes, however little that sends.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets/wider.csv",
        "/datasets/wider.arrow?codec=lz4",
        "/datasets/wider.arrow?columns=column%207"
      })
  void asksToRetryAWideResponseWhileOthersDecode(String path) throws Exception {
    put("/datasets/wider", Streams.columns(2000));
    try (InFlightBytes.ResponseCharge other = inFlight.openResponse()) {
      other.take(1 << 18);
      HttpResponse<byte[]> response = get(path);
      assertThat(response.statusCode()).isEqualTo(503);
      assertThat(header(response, "Retry-After")).isEqualTo("5");
      assertThat(get("/datasets/sample.csv").statusCode()).isEqualTo(200);
      assertThat(put("/datasets/meanwhile", Streams.numbers(0, 10)).statusCode()).isIn(200, 201);
    }
    assertThat(get(path).statusCode()).isEqualTo(200);
    assertNothingInFlight();
  }

  @Test
  void wantOfAThreadFailsOnlyThatRequest() throws Exception {
    HttpResponse<byte[]> response = get("/test/memory");
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(header(response, "Retry-After")).isEqualTo("5");
    assertThat(json(response).get("detail").asString())
        .isEqualTo("Expected enough memory or threads for the request but found too few");
    assertThat(get("/datasets").statusCode()).isEqualTo(200);
  }
}
