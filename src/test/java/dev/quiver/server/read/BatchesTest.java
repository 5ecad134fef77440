package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// The batch index, single batches and ranges of batches, schemas, and the lists of datasets and
/// versions. [ReadTest] reads whole datasets.
class BatchesTest extends RunningService {

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/batches").statusCode() == 404) {
      put("/datasets/batches?batches=keep", Streams.numbers(0, 10, 20, 30, 40));
    }
  }

  private byte[] range(String path, JsonNode extent, long length) throws Exception {
    long offset = extent.get("offset").longValue();
    HttpResponse<byte[]> response =
        get(path, "Range", "bytes=" + offset + "-" + (offset + length - 1));
    assertThat(response.statusCode()).isEqualTo(206);
    return response.body();
  }

  @Test
  void batchIndexLocatesEveryMessage() throws Exception {
    JsonNode index = json("/datasets/batches/batches");
    HttpResponse<byte[]> file = get("/datasets/batches.arrow");
    assertThat(index.propertyNames())
        .containsExactly(
            "dataset",
            "version",
            "etag",
            "file",
            "stream",
            "rows",
            "bytes",
            "schema",
            "dictionaries",
            "footer",
            "batches");
    assertThat(index.get("dataset").asString()).isEqualTo("batches");
    assertThat(index.get("version").intValue()).isEqualTo(1);
    assertThat(index.get("etag").asString()).isEqualTo(header(file, "ETag"));
    assertThat(index.get("file").asString()).isEqualTo("/datasets/batches@1.arrow");
    assertThat(index.get("stream").asString()).isEqualTo("/datasets/batches@1.arrows");
    assertThat(index.get("rows").intValue()).isEqualTo(100);
    assertThat(index.get("bytes").intValue()).isEqualTo(file.body().length);
    JsonNode footer = index.get("footer");
    assertThat(footer.get("offset").intValue() + footer.get("length").intValue())
        .isEqualTo(file.body().length - 10);
    JsonNode batch = index.at("/batches/1");
    assertThat(batch.propertyNames())
        .containsExactly(
            "index",
            "rowOffset",
            "rows",
            "offset",
            "metaDataLength",
            "bodyLength",
            "codec",
            "uncompressedBytes",
            "href");
    assertThat(batch.get("index").intValue()).isEqualTo(1);
    assertThat(batch.get("rowOffset").intValue()).isEqualTo(10);
    assertThat(batch.get("rows").intValue()).isEqualTo(20);
    assertThat(batch.get("codec").isNull()).isTrue();
    assertThat(batch.get("uncompressedBytes").intValue()).isEqualTo(80);
    assertThat(batch.get("href").asString()).isEqualTo("/datasets/batches@1/batches/1.arrows");
  }

  @Test
  void schemaDictionariesAndOneBatchFormAStream() throws Exception {
    JsonNode index = json("/datasets/sample/batches");
    String file = index.get("file").asString();
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    JsonNode schema = index.get("schema");
    stream.write(range(file, schema, schema.get("length").longValue()));
    for (JsonNode dictionary : index.get("dictionaries")) {
      stream.write(range(file, dictionary, dictionary.get("length").longValue()));
    }
    JsonNode batch = index.at("/batches/1");
    long length = batch.get("metaDataLength").longValue() + batch.get("bodyLength").longValue();
    stream.write(range(file, batch, length));
    stream.write(new byte[] {-1, -1, -1, -1, 0, 0, 0, 0});
    assertThat(stream.toByteArray()).isEqualTo(get(batch.get("href").asString()).body());
    assertThat(Streams.rowsOfBatches(stream.toByteArray()))
        .containsExactly(batch.get("rows").longValue());
  }

  @Test
  void batchIndexIsPaged() throws Exception {
    JsonNode first = json("/datasets/batches/batches?count=3");
    assertThat(first.get("batches").size()).isEqualTo(3);
    assertThat(first.get("next").asString())
        .isEqualTo("/datasets/batches@1/batches?from=3&count=3");
    JsonNode last = json(first.get("next").asString());
    assertThat(last.get("batches").size()).isEqualTo(1);
    assertThat(last.at("/batches/0/index").intValue()).isEqualTo(3);
    assertThat(last.has("next")).isFalse();
    assertThat(json("/datasets/batches/batches?from=9223372036854775807").get("batches").size())
        .isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "count=0 | Expected a whole number from 1 to 10000 but found \"0\" at parameter count",
        "count=10001 | Expected a whole number from 1 to 10000 but found \"10001\" at parameter"
            + " count",
        "from=-1 | Expected a whole number from 0 to 9223372036854775807 but found \"-1\" at"
            + " parameter from",
        "from=x | Expected a whole number from 0 to 9223372036854775807 but found \"x\" at parameter"
            + " from",
      })
  void rejectsInvalidPagesOfTheBatchIndex(String query, String detail) throws Exception {
    HttpResponse<byte[]> response = get("/datasets/batches/batches?" + query);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString()).isEqualTo(detail);
  }

  @Test
  void batchIndexSupportsIfNoneMatch() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/batches/batches");
    String etag = header(response, "ETag");
    assertThat(get("/datasets/batches/batches", "If-None-Match", etag).statusCode()).isEqualTo(304);
    assertThat(get("/datasets/batches/batches?count=2", "If-None-Match", etag).statusCode())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "0, '10', batches-0",
    "3.arrows, '40', batches-3",
    "1-2, '20,30', batches-1-2",
    "0-3.arrows, '10,20,30,40', batches-0-3",
    "2-2, '30', batches-2",
  })
  void batchesAndRangesOfBatchesAreServedAsStreams(String batches, String rows, String variant)
      throws Exception {
    HttpResponse<byte[]> response = get("/datasets/batches/batches/" + batches);
    List<Long> expected = Arrays.stream(rows.split(",")).map(Long::parseLong).toList();
    assertThat(Streams.rowsOfBatches(response.body())).isEqualTo(expected);
    assertThat(header(response, "Content-Type")).isEqualTo("application/vnd.apache.arrow.stream");
    assertThat(header(response, "Content-Length")).isEqualTo("" + response.body().length);
    assertThat(header(response, "ETag")).endsWith(".1." + variant + "\"");
    assertThat(header(response, "Arrow-Row-Count"))
        .isEqualTo("" + expected.stream().mapToLong(Long::longValue).sum());
    assertThat(header(response, "Arrow-Batch-Count")).isEqualTo("" + expected.size());
  }

  @Test
  void rangeOfAllBatchesEqualsTheWholeStream() throws Exception {
    assertThat(get("/datasets/sample/batches/0-2").body())
        .isEqualTo(get("/datasets/sample.arrows").body());
  }

  @Test
  void byteRangesMayCrossTheMessagesOfABatchRange() throws Exception {
    String path = "/datasets/sample@1/batches/1-2";
    byte[] whole = get(path).body();
    for (int first = 0; first < whole.length; first += 777) {
      int last = Math.min(first + 1500, whole.length - 1);
      HttpResponse<byte[]> response = get(path, "Range", "bytes=" + first + "-" + last);
      assertThat(response.statusCode()).isEqualTo(206);
      assertThat(response.body()).isEqualTo(Arrays.copyOfRange(whole, first, last + 1));
    }
    assertThat(header(get(path), "Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"4", "0-4", "2-1", "-1", "1-", "x", "1.arrow", "1-2-3", "99999999999999999999"})
  void missingAndInvalidBatchesAreNotFound(String batches) throws Exception {
    HttpResponse<byte[]> response = get("/datasets/batches/batches/" + batches);
    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected a batch or range of batches from 0 to 3 but found "
                + batches
                + " at batches@1");
  }

  @Test
  void servesADatasetWithoutBatches() throws Exception {
    put("/datasets/no-batches", Streams.numbers(0));
    assertThat(Streams.rowsOfBatches(get("/datasets/no-batches").body())).isEmpty();
    assertThat(json("/datasets/no-batches/batches").get("batches").size()).isZero();
    HttpResponse<byte[]> response = get("/datasets/no-batches/batches/0");
    assertThat(response.statusCode()).isEqualTo(404);
    assertThat(json(response).get("detail").asString())
        .isEqualTo("Expected no batch, since the version has none, but found 0 at no-batches@1");
  }

  @Test
  void schemaIsJsonUnlessArrowIsPreferred() throws Exception {
    HttpResponse<byte[]> json = get("/datasets/sample/schema");
    assertThat(header(json, "Content-Type")).isEqualTo("application/json");
    assertThat(header(json, "Vary")).isEqualTo("Accept, Accept-Encoding");
    JsonNode program = json(json).at("/fields/1");
    assertThat(program.toString())
        .isEqualTo(
            """
            {"name":"program","nullable":false,"type":{"name":"utf8"},\
            "arrowType":"dictionary<int8, utf8>",\
            "dictionary":{"id":0,"indexType":{"name":"int","bitWidth":8,"isSigned":true},\
            "isOrdered":false},"children":[]}\
            """);
    assertThat(json(json).at("/fields/5/children/0/name").asString()).isEqualTo("item");
    assertThat(json(json).at("/metadata/0/key").asString()).isEqualTo("description");

    HttpResponse<byte[]> arrow =
        get("/datasets/sample/schema", "Accept", "application/vnd.apache.arrow.stream");
    assertThat(header(arrow, "Content-Type")).isEqualTo("application/vnd.apache.arrow.stream");
    assertThat(header(arrow, "Vary")).isEqualTo("Accept");
    assertThat(header(arrow, "ETag")).isNotEqualTo(header(json, "ETag"));
    assertThat(Streams.rowsOfBatches(arrow.body())).isEmpty();
  }

  @Test
  void versionsAreListedNewestFirst() throws Exception {
    for (int i = 1; i <= 3; i++) {
      put("/datasets/versions", Streams.numbers(0, i));
    }
    JsonNode versions = json("/datasets/versions/versions").get("versions");
    assertThat(versions.size()).isEqualTo(3);
    assertThat(versions.get(0).get("version").intValue()).isEqualTo(3);
    assertThat(versions.get(0).get("rows").intValue()).isEqualTo(3);
    assertThat(versions.get(2).at("/links/file").asString())
        .isEqualTo("/datasets/versions@1.arrow");
    JsonNode page = json("/datasets/versions/versions?limit=2");
    assertThat(page.get("next").asString())
        .isEqualTo("/datasets/versions/versions?limit=2&before=2");
    assertThat(json(page.get("next").asString()).get("versions").size()).isEqualTo(1);
    assertThat(get("/datasets/versions@1/versions").statusCode()).isEqualTo(404);
    assertThat(get("/datasets/nothing/versions").statusCode()).isEqualTo(404);
  }

  @Test
  void datasetListIsPaged() throws Exception {
    put("/datasets/list-a", Streams.numbers(0, 1));
    put("/datasets/list-b", Streams.numbers(0, 2));
    put("/datasets/list-c", Streams.numbers(0, 3));
    delete("/datasets/list-b");
    JsonNode page = json("/datasets?after=list-0&limit=1");
    assertThat(page.at("/datasets/0/name").asString()).isEqualTo("list-a");
    assertThat(page.at("/datasets/0/rows").intValue()).isEqualTo(1);
    assertThat(page.get("next").asString()).isEqualTo("/datasets?limit=1&after=list-a");
    assertThat(json(page.get("next").asString()).at("/datasets/0/name").asString())
        .isEqualTo("list-c");
    assertThat(get("/datasets?after=%2B").statusCode()).isEqualTo(400);
  }

  @Test
  void batchIndexHasStatisticsOnRequest() throws Exception {
    JsonNode index = json("/datasets/batches/batches?statistics=true&from=1&count=2");
    List<String> found = new ArrayList<>();
    for (JsonNode batch : index.get("batches")) {
      found.add(batch.get("statistics").toString());
    }
    assertThat(found)
        .containsExactly(
            "[{\"column\":\"number\",\"nulls\":0,\"min\":10,\"max\":29}]",
            "[{\"column\":\"number\",\"nulls\":0,\"min\":30,\"max\":59}]");
    assertThat(index.get("next").asString())
        .isEqualTo("/datasets/batches@1/batches?from=3&count=2&statistics=true");
    JsonNode without = json("/datasets/batches/batches?statistics=false&from=1&count=2");
    assertThat(without.get("batches").get(0).get("statistics")).isNull();
  }

  /// Bounds have the form that their values have as rows.
  @Test
  void statisticsAreInTheJsonFormOfEachType() throws Exception {
    Schema schema =
        Schema.of(
            Field.of(
                "s",
                true,
                new ArrowType.Struct(),
                Field.of("big", true, new ArrowType.Int(64, true)),
                Field.of("x", true, new ArrowType.FloatingPoint(Precision.DOUBLE))),
            Field.of("text", true, new ArrowType.Utf8View()),
            Field.of("day", true, new ArrowType.Date(DateUnit.DAY)),
            Field.of("bytes", true, new ArrowType.FixedSizeBinary(2)),
            Field.of("yes", true, new ArrowType.Bool()),
            Field.of(
                "list", true, new ArrowType.List(), Field.of("i", true, new ArrowType.Bool())));
    List<List<@Nullable Object>> columns =
        List.of(
            Arrays.asList(List.of(1L << 60, Double.NaN), null, Arrays.asList(null, -0.0)),
            Arrays.asList("é", null, "z".repeat(40)),
            Arrays.asList(0L, 1L, null),
            Arrays.asList(ByteString.of(new byte[] {0, 1}), null, null),
            Arrays.asList(true, null, true),
            Arrays.asList(null, null, List.of()));
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      StreamWriter writer =
          new StreamWriter(
              segment -> stream.write(segment.toArray(LittleEndian.INT8)), schema, Codec.NONE);
      writer.write(new ArrayBuilder(arena).recordBatch(schema, 3, columns));
      writer.close();
    }
    put("/datasets/described", stream.toByteArray());
    String number = "1152921504606846976";
    for (String big : List.of(number, "\"" + number + "\"")) {
      String numbers = big.equals(number) ? "number" : "string";
      String expected =
          """
          [{"column":"s.big","nulls":2,"min":%s,"max":%s},
          {"column":"s.x","nulls":1,"min":0,"max":0,"nan":true},
          {"column":"text","nulls":1,"min":"%s","max":"é"},
          {"column":"day","nulls":1,"min":"1970-01-01","max":"1970-01-02"},
          {"column":"bytes","nulls":2,"min":"AAE=","max":"AAE="},
          {"column":"yes","nulls":1,"min":true,"max":true},
          {"column":"list","nulls":2}]\
          """
              .formatted(big, big, "z".repeat(32))
              .replace("\n", "")
              .replace("\"max\":\"é\"", "\"max\":\"é\",\"exact\":false");
      JsonNode index = json("/datasets/described/batches?statistics=true&numbers=" + numbers);
      assertThat(index.get("batches").get(0).get("statistics").toString()).isEqualTo(expected);
    }
  }
}
