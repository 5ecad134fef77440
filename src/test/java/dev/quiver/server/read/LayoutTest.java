package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The layout of a version's file: its pages, conditions and codecs. [ArrowJavaLayoutTest] compares
/// it with what Arrow Java reads of the file.
class LayoutTest extends RunningService {

  /// Enough rows that some buffers of a column are worth compressing, and some are not.
  private static final int[] BATCH_ROWS = {300, 0, 5};

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/layout-none").statusCode() == 404) {
      for (Codec codec : Codec.values()) {
        put(
            "/datasets/layout-" + codec.name().toLowerCase(Locale.ROOT) + "?batches=keep",
            Streams.table(codec, BATCH_ROWS));
      }
      put("/datasets/layout-mixed?batches=keep", Streams.inCodecs(50, Codec.ZSTD, Codec.NONE));
    }
  }

  @Test
  void onlyCompressedBuffersHaveACodec() throws Exception {
    JsonNode batch = json("/datasets/layout-zstd/layout").at("/messages/1");
    assertThat(batch.get("codec").asString()).isEqualTo("zstd");
    List<JsonNode> buffers = batch.findParents("role");
    assertThat(buffers).anyMatch(buffer -> buffer.has("codec"));
    for (JsonNode buffer : buffers) {
      assertThat(buffer.has("codec"))
          .isEqualTo(buffer.get("length").intValue() > 0 && !isRaw("layout-zstd", buffer));
    }
    assertThat(json("/datasets/layout-none/layout").findValues("role")).isNotEmpty();
    assertThat(json("/datasets/layout-none/layout").at("/messages").findParents("role"))
        .noneMatch(buffer -> buffer.has("codec"));
  }

  /// Returns whether eight bytes of ones, which mean that it is not compressed, precede a buffer.
  private boolean isRaw(String name, JsonNode buffer) throws Exception {
    long offset = buffer.get("offset").longValue();
    HttpResponse<byte[]> prefix =
        get("/datasets/" + name + ".arrow", "Range", "bytes=" + offset + "-" + (offset + 7));
    assertThat(prefix.body()).hasSize(8);
    return prefix.body()[7] == -1;
  }

  @Test
  void schemaAndFooterEqualTheBatchIndex() throws Exception {
    JsonNode layout = json("/datasets/layout-lz4@1/layout");
    JsonNode index = json("/datasets/layout-lz4@1/batches");
    for (String member :
        List.of("dataset", "version", "etag", "file", "rows", "schema", "footer")) {
      assertThat(layout.get(member)).as(member).isEqualTo(index.get(member));
    }
    assertThat(index.at("/batches/0/uncompressedBytes").longValue())
        .isEqualTo(
            layout.at("/messages/1").findValues("uncompressedLength").stream()
                .mapToLong(JsonNode::longValue)
                .sum());
  }

  @Test
  void layoutIsPaged() throws Exception {
    String path = "/datasets/layout-none@1/layout";
    JsonNode first = json("/datasets/layout-none/layout?count=3");
    assertThat(first.get("messages").size()).isEqualTo(3);
    assertThat(first.get("next").asString()).isEqualTo(path + "?from=3&count=3");
    JsonNode last = json(first.get("next").asString());
    assertThat(last.get("messages")).hasSize(1);
    assertThat(last.get("messages").get(0)).isEqualTo(json(path).at("/messages/3"));
    assertThat(last.has("next")).isFalse();
    JsonNode beyond = json(path + "?from=9223372036854775807");
    assertThat(beyond.get("messages").size()).isZero();
    assertThat(beyond.has("next")).isFalse();
    assertThat(json(path + "?from=1").get("messages").get(0).get("column")).isNull();
    assertThat(json(path).get("messages").get(0).has("rowOffset")).isFalse();
  }

  @Test
  void pageEndsAfterTheMessageWithTheLastOfManyBuffers() throws Exception {
    put("/datasets/layout-wide?batches=keep", Streams.wide(6_000, 3));
    JsonNode first = json("/datasets/layout-wide/layout");
    assertThat(first.get("messages").size()).isEqualTo(2);
    assertThat(first.get("next").asString())
        .isEqualTo("/datasets/layout-wide@1/layout?from=2&count=100");
    JsonNode last = json(first.get("next").asString());
    assertThat(last.get("messages").size()).isEqualTo(1);
    assertThat(last.at("/messages/0/fields/5999/column").intValue()).isEqualTo(5999);
  }

  @ParameterizedTest
  @CsvSource({"count=0", "count=10001", "from=-1", "from=x"})
  void rejectsInvalidPages(String query) throws Exception {
    assertThat(get("/datasets/layout-none/layout?" + query).statusCode()).isEqualTo(400);
  }

  @Test
  void layoutNeverChanges() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/layout-none@1/layout");
    String etag = header(response, "ETag");
    assertThat(etag).endsWith(".1.layout-0-100\"");
    assertThat(header(response, "Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
    assertThat(get("/datasets/layout-none/layout", "If-None-Match", etag).statusCode())
        .isEqualTo(304);
    assertThat(get("/datasets/layout-none/layout?from=1", "If-None-Match", etag).statusCode())
        .isEqualTo(200);
    assertThat(head("/datasets/layout-none/layout").statusCode()).isEqualTo(200);
  }

  @Test
  void missingAndDeletedDatasetsHaveNeitherLayoutNorSummary() throws Exception {
    put("/datasets/layout-gone", Streams.numbers(0, 1));
    delete("/datasets/layout-gone");
    for (String resource : List.of("/layout", "/summary")) {
      assertThat(get("/datasets/nothing" + resource).statusCode()).isEqualTo(404);
      assertThat(get("/datasets/layout-none@9" + resource).statusCode()).isEqualTo(404);
      assertThat(get("/datasets/layout-gone" + resource).statusCode()).isEqualTo(410);
    }
  }
}
