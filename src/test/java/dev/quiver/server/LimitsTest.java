package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// Both sides of each limit on Arrow data over HTTP. Data at the limit is accepted. Data over it
/// causes a 413 that names the limit, and a finding of an inspection. Other limits are tested
/// elsewhere: rendered text in [RowsLimitTest], bytes in flight in [OverloadTest], the store in
/// [StorageLimitTest], reports in [InspectTest], time in `TransferRateGuardTest`.
@TestPropertySource(
    properties = {
      "quiver.sample=false",
      "quiver.limits.metadata-bytes=8KB",
      "quiver.limits.body-bytes=64KB",
      "quiver.limits.batch-rows=70000",
      "quiver.limits.schema-fields=20",
      "quiver.limits.schema-depth-levels=10",
      "quiver.limits.dictionary-bytes=10048B",
      "quiver.limits.upload-dictionary-bytes=15016B",
      "quiver.limits.decompression-ratio=100",
      "quiver.limits.upload-batches=5",
      "quiver.limits.request-bytes=1MB"
    })
class LimitsTest extends RunningService {

  private static final Field NULLS = Field.of("x", true, new ArrowType.Null());
  private static final ArrowType.Int INT8 = new ArrowType.Int(8, true);

  @Test
  void limitsTheMetadataOfAMessage() throws Exception {
    assertLimited("metadata-bytes", metadata(8192), metadata(8200), 8192, 8200);
  }

  @Test
  void limitsTheBodyOfAMessage() throws Exception {
    assertLimited("body-bytes", numbers(65_536), numbers(65_537), 65_536, 65_600);
  }

  @Test
  void limitsTheRowsOfABatch() throws Exception {
    assertLimited("batch-rows", nulls(70_000), nulls(70_001), 70_000, 70_001);
  }

  @Test
  void limitsTheFieldsOfASchema() throws Exception {
    assertLimited("schema-fields", fields(20), fields(21), 20, 21);
  }

  @Test
  void limitsTheDepthOfASchema() throws Exception {
    assertLimited("schema-depth-levels", nested(10), nested(11), 10, 11);
  }

  @Test
  void limitsTheBytesOfADictionary() throws Exception {
    assertLimited("dictionary-bytes", dictionaries(9984), dictionaries(9985), 10_048, 10_112);
  }

  @Test
  void limitsTheDictionaryBytesOfAnUpload() throws Exception {
    byte[] within = dictionaries(7500, 7500);
    byte[] over = dictionaries(7500, 7501);
    assertThat(put("/datasets/within", within).statusCode()).isIn(200, 201);
    assertProblem(put("/datasets/over", over), "upload-dictionary-bytes", 15_016, 15_017);
  }

  @Test
  void limitsTheDecompressionRatio() throws Exception {
    int frameByteSize = compressedByteSize(2000);
    byte[] within = unneededZeros(101 * frameByteSize - 1);
    byte[] over = unneededZeros(101 * frameByteSize);
    assertThat(compressedByteSize(101 * frameByteSize)).isEqualTo(frameByteSize);
    assertLimited("decompression-ratio", within, over, 100, 101);
  }

  @Test
  void limitsTheBatchesOfAnUpload() throws Exception {
    byte[] within = nulls(1, 1, 1, 1, 1);
    byte[] over = nulls(1, 1, 1, 1, 1, 1);
    assertThat(put("/datasets/within", within).statusCode()).isIn(200, 201);
    assertProblem(put("/datasets/over", over), "upload-batches", 5, 6);
  }

  /// Zeros may follow a stream and count towards the limit.
  @Test
  void limitsTheBytesOfARequest() throws Exception {
    byte[] within = Arrays.copyOf(numbers(10), 1 << 20);
    byte[] over = Arrays.copyOf(within, within.length + 1);
    assertThat(put("/datasets/within", within).statusCode()).isIn(200, 201);
    assertProblem(put("/datasets/over", over), "request-bytes", 1 << 20, (1 << 20) + 1);
    assertProblem(post("/inspect", over), "request-bytes", 1 << 20, (1 << 20) + 1);
  }

  private void assertLimited(String name, byte[] within, byte[] over, long maximum, long found)
      throws Exception {
    assertThat(put("/datasets/within", within).statusCode()).isIn(200, 201);
    assertThat(summary(within).get("acceptable").booleanValue()).isTrue();
    assertProblem(put("/datasets/over", over), name, maximum, found);
    assertThat(get("/datasets/over").statusCode()).isEqualTo(404);
    JsonNode summary = summary(over);
    assertThat(summary.get("acceptable").booleanValue()).isFalse();
    assertThat(summary.get("findings").get("too-large").intValue()).isEqualTo(1);
  }

  private JsonNode summary(byte[] stream) throws Exception {
    HttpResponse<byte[]> report = post("/inspect", stream);
    assertThat(report.statusCode()).isEqualTo(200);
    return json(report).get("summary");
  }

  private static void assertProblem(
      HttpResponse<byte[]> response, String name, long maximum, long found) {
    String key = "quiver.limits." + name;
    assertThat(response.statusCode()).as(text(response)).isEqualTo(413);
    JsonNode problem = json(response);
    assertThat(problem.get("type").asString()).isEqualTo("urn:quiver:problem:too-large");
    assertThat(problem.at("/limit/key").asString()).isEqualTo(key);
    assertThat(problem.at("/limit/maximum").longValue()).isEqualTo(maximum);
    assertThat(problem.get("detail").asString())
        .startsWith("Expected at most " + maximum + " ")
        .contains(" (" + key + ") but found " + found);
  }

  /// Returns a schema message with `byteSize` bytes of metadata, a multiple of 8.
  private static byte[] metadata(int byteSize) throws IOException {
    int baseByteSize = schemaByteSize(8000);
    String text = "x".repeat(8000 + byteSize - baseByteSize);
    assertThat(schemaByteSize(text.length())).isEqualTo(byteSize);
    return schema(text.length());
  }

  private static int schemaByteSize(int textByteSize) throws IOException {
    return schema(textByteSize).length - 16;
  }

  private static byte[] schema(int textByteSize) throws IOException {
    Metadata metadata = Metadata.of(KeyValue.of("long", "x".repeat(textByteSize)));
    return stream(Schema.of(NULLS).withMetadata(metadata));
  }

  private static byte[] fields(int count) throws IOException {
    return stream(Schema.of(Collections.nCopies(count, NULLS).toArray(Field[]::new)));
  }

  private static byte[] nested(int levels) throws IOException {
    Field field = NULLS;
    for (int i = 1; i < levels; i++) {
      field = Field.of("x", true, new ArrowType.Struct(), field);
    }
    return stream(Schema.of(field));
  }

  private static byte[] stream(Schema schema) throws IOException {
    Bytes bytes = new Bytes();
    new StreamWriter(bytes, schema, Codec.NONE).close();
    return bytes.toByteArray();
  }

  private static byte[] numbers(int rows) throws IOException {
    return batches(
        Field.of("n", true, INT8),
        Codec.NONE,
        array(INT8, rows, MemorySegment.ofArray(new byte[rows])));
  }

  private static byte[] nulls(int... rows) throws IOException {
    return batches(
        NULLS,
        Codec.NONE,
        Arrays.stream(rows)
            .mapToObj(count -> new ArrayData(NULLS, count, count, List.of(), List.of(), null))
            .toArray(ArrayData[]::new));
  }

  /// Returns an empty binary value with a data buffer of `byteSize` zeros that it does not need.
  private static byte[] unneededZeros(int byteSize) throws IOException {
    ArrowType type = new ArrowType.Binary();
    return batches(
        Field.of("b", true, type),
        Codec.ZSTD,
        array(
            type,
            1,
            MemorySegment.ofArray(new byte[8]),
            MemorySegment.ofArray(new byte[byteSize])));
  }

  private static int compressedByteSize(int byteSize) {
    try (Arena arena = Arena.ofConfined()) {
      ArrayData array = array(INT8, byteSize, MemorySegment.ofArray(new byte[byteSize]));
      EncodedBody body = EncodedBody.of(byteSize, List.of(array), Codec.ZSTD, arena);
      return (int) body.buffers().getLast().byteSize() - Long.BYTES;
    }
  }

  private static ArrayData array(ArrowType type, long length, MemorySegment... buffers) {
    List<MemorySegment> all = new ArrayList<>(List.of(MemorySegment.NULL));
    all.addAll(List.of(buffers));
    return new ArrayData(Field.of("b", true, type), length, 0, all, List.of(), null);
  }

  private static byte[] batches(Field field, Codec codec, ArrayData... columns) throws IOException {
    Bytes bytes = new Bytes();
    MessageWriter messages = new MessageWriter(bytes);
    messages.writeSchema(Schema.of(field));
    try (Arena arena = Arena.ofConfined()) {
      for (ArrayData column : columns) {
        messages.writeRecordBatch(
            EncodedBody.of(column.length(), List.of(column), codec, arena), Metadata.EMPTY);
      }
    }
    messages.writeEndOfStream();
    return bytes.toByteArray();
  }

  /// Returns dictionaries that each contain one text of the given size.
  private static byte[] dictionaries(int... textByteSizes) throws IOException {
    Field[] fields = new Field[textByteSizes.length];
    Map<Long, List<String>> values = new HashMap<>();
    List<List<String>> columns = new ArrayList<>();
    for (int i = 0; i < fields.length; i++) {
      fields[i] =
          Field.of("d", true, new ArrowType.Utf8())
              .withDictionary(new DictionaryEncoding(i, INT8, false));
      List<String> texts = List.of("x".repeat(textByteSizes[i]));
      values.put((long) i, texts);
      columns.add(texts);
    }
    Schema schema = Schema.of(fields);
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, schema, Codec.NONE);
    writer.write(new ArrayBuilder(Arena.ofAuto(), values).recordBatch(schema, 1, columns));
    writer.close();
    return bytes.toByteArray();
  }
}
