package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.server.RunningService;
import dev.quiver.server.Streams;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The summary of a version, compared with the list, the schema and the responses that it names.
class SummaryTest extends RunningService {

  @Test
  void summaryHasTheMembersOfTheListAndMore() throws Exception {
    JsonNode summary = json("/datasets/sample/summary");
    JsonNode listed = json("/datasets?prefix=sample").at("/datasets/0");
    for (String member : listed.propertyNames()) {
      assertThat(summary.get(member)).as(member).isEqualTo(listed.get(member));
    }
    assertThat(summary.propertyNames())
        .containsExactly(
            "name",
            "version",
            "kind",
            "etag",
            "rows",
            "batches",
            "dictionaries",
            "bytes",
            "codec",
            "modified",
            "columnCount",
            "columns",
            "representations",
            "links");
    JsonNode fields = json("/datasets/sample/schema").get("fields");
    assertThat(summary.get("columnCount").intValue()).isEqualTo(fields.size());
    assertThat(summary.get("dictionaries").intValue())
        .isEqualTo(json("/datasets/sample/batches").get("dictionaries").size());
    for (int i = 0; i < fields.size(); i++) {
      JsonNode column = summary.get("columns").get(i);
      assertThat(column.get("name")).isEqualTo(fields.get(i).get("name"));
      assertThat(column.get("type")).isEqualTo(fields.get(i).get("arrowType"));
      assertThat(column.get("nullable")).isEqualTo(fields.get(i).get("nullable"));
    }
  }

  @Test
  void representationsHaveTheirMediaTypes() throws Exception {
    JsonNode representations = json("/datasets/sample/summary").get("representations");
    assertThat(representations.size()).isEqualTo(9);
    for (JsonNode each : representations) {
      HttpResponse<byte[]> response = head(each.get("href").asString());
      if (response.statusCode() != 501) {
        assertThat(response.statusCode()).as(each.toString()).isEqualTo(200);
        assertThat(header(response, "Content-Type"))
            .startsWith(each.get("type").asString().split(";")[0]);
      }
    }
  }

  @Test
  void linksOfTheSummaryAreReadable() throws Exception {
    JsonNode links = json("/datasets/sample/summary").get("links");
    for (String name : List.of("summary", "layout", "schema", "batches", "versions")) {
      assertThat(get(links.get(name).asString()).statusCode()).as(name).isEqualTo(200);
    }
  }

  @Test
  void summaryOfManyColumnsIsSmall() throws Exception {
    put("/datasets/summary-wide", Streams.wide(10_000, 1));
    HttpResponse<byte[]> response = get("/datasets/summary-wide/summary");
    assertThat(response.body()).hasSizeLessThan(16_384);
    JsonNode summary = json(response);
    assertThat(summary.get("columnCount").intValue()).isEqualTo(10_000);
    assertThat(summary.get("columns").size()).isEqualTo(100);
    assertThat(summary.at("/columns/99/name").asString()).isEqualTo("column 99");
  }

  @Test
  void longNamesEndTheColumnsAndLongTypesAreCut() throws Exception {
    ArrowType int32 = new ArrowType.Int(32, true);
    put(
        "/datasets/summary-long",
        Streams.empty(
            Field.of("wide", true, new ArrowType.Struct(), Field.of("x".repeat(500), true, int32)),
            Field.of("n".repeat(16_384 - 4 - 201 - 5), true, int32),
            Field.of("one more", true, int32)));
    JsonNode summary = json("/datasets/summary-long/summary");
    assertThat(summary.get("columnCount").intValue()).isEqualTo(3);
    assertThat(summary.get("columns").size()).isEqualTo(2);
    assertThat(summary.at("/columns/0/type").asString())
        .startsWith("struct<")
        .endsWith("…")
        .hasSize(201);
    assertThat(summary.at("/columns/1/name").asString()).hasSize(16_174);
  }

  @Test
  void summaryOfAVersionNeverChanges() throws Exception {
    put("/datasets/summary-new", Streams.numbers(0, 2));
    HttpResponse<byte[]> pinned = get("/datasets/summary-new@1/summary");
    String etag = header(pinned, "ETag");
    assertThat(etag).endsWith(".1.summary-1\"");
    assertThat(header(pinned, "Cache-Control")).isEqualTo("public, max-age=31536000, immutable");
    assertThat(get("/datasets/summary-new/summary", "If-None-Match", etag).statusCode())
        .isEqualTo(304);
    put("/datasets/summary-new?expires=24h", Streams.numbers(0, 3));
    HttpResponse<byte[]> latest = get("/datasets/summary-new/summary", "If-None-Match", etag);
    assertThat(latest.statusCode()).isEqualTo(200);
    assertThat(json(latest).get("rows").intValue()).isEqualTo(3);
    assertThat(json(latest).has("expires")).isTrue();
    assertThat(get("/datasets/summary-new@1/summary").body()).isEqualTo(pinned.body());
  }
}
