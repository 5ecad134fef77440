package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.sql.query.ColumnProfiles;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// The resource with statistics of columns. `arrow.statistics.ColumnProfilersTest` and
/// `test_statistics.py` cover their values, and `sql.query.ColumnProfilesTest` where they are kept.
@TestPropertySource(
    properties = {
      "quiver.storage.path=${test.folder}/statistics",
      "quiver.limits.statistics-columns=5",
    })
class StatisticsTest extends RunningService {

  @Autowired private ColumnProfiles profiles;

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/profile").statusCode() == 404) {
      put("/datasets/profile?batches=keep", Streams.table(Codec.ZSTD, 30, 0, 50, 20));
    }
  }

  @Test
  void describesEachColumnAndTheFieldsOfStructs() throws Exception {
    JsonNode document = json("/datasets/profile/statistics");
    assertThat(document.propertyNames()).containsExactly("dataset", "version", "rows", "columns");
    assertThat(document.get("rows").intValue()).isEqualTo(100);
    JsonNode number = document.at("/columns/0");
    assertThat(number.get("column").asString()).isEqualTo("number");
    assertThat(number.get("type").asString()).isEqualTo("int32");
    assertThat(number.get("nulls").intValue()).isZero();
    assertThat(number.get("min").intValue()).isZero();
    assertThat(number.get("max").intValue()).isEqualTo(99);
    assertThat(number.get("distinctApproximate").intValue()).isEqualTo(100);
    assertThat(number.get("histogram").size()).isEqualTo(20);
    assertThat(number.at("/histogram/0").toString()).isEqualTo("{\"from\":0,\"to\":5,\"count\":5}");
    assertThat(number.at("/histogram/19").toString())
        .isEqualTo("{\"from\":95,\"to\":99,\"count\":5}");
    assertThat(number.get("top").size()).isEqualTo(10);
    assertThat(document.get("columns"))
        .extracting(column -> column.get("column").asString())
        .containsExactly("number", "color", "point", "point.x", "point.y");
    assertThat(document.at("/columns/2").propertyNames())
        .containsExactly("column", "type", "nulls");
  }

  @Test
  void describesTheMiddleOfNumbersAndTimesAndTheLengthOfTexts() throws Exception {
    String csv =
        """
        id,price,half,at,word
        9007199254740993,1.10,0.5,2024-01-01T08:30:00,é
        9007199254740994,2.25,0.25,2024-01-02T00:00:00,日本語
        """;
    HttpResponse<byte[]> stored =
        put(
            "/datasets/profile-middle.csv?csv.types=price:decimal(9%2C2)",
            csv.getBytes(StandardCharsets.UTF_8));
    assertThat(stored.statusCode()).as(text(stored)).isEqualTo(201);
    String path = "/datasets/profile-middle/statistics";
    assertThat(text(get(path)))
        .contains(
            "\"mean\":9007199254740993.5,\"deviation\":0.7071067811865476,"
                + "\"median\":9007199254740993.5,"
                + "\"quartiles\":[9007199254740993.25,9007199254740993.75]")
        .contains(
            "\"mean\":1.675,\"deviation\":0.8131727983645297,"
                + "\"median\":1.675,\"quartiles\":[1.3875,1.9625]")
        .contains("\"median\":0.375,\"quartiles\":[0.3125,0.4375]")
        .contains("\"length\":{\"min\":1,\"max\":3,\"mean\":2}");
    JsonNode moments = json(path).at("/columns/3");
    assertThat(moments.get("median")).isEqualTo(moments.get("min"));
    assertThat(moments.get("quartiles")).allMatch(moments.get("min")::equals).hasSize(2);
    assertThat(moments.propertyNames()).doesNotContain("mean", "deviation");
    assertThat(text(get(path + "?numbers=string")))
        .contains(
            "\"mean\":9007199254740993.5,\"deviation\":0.7071067811865476,"
                + "\"median\":\"9007199254740993.5\","
                + "\"quartiles\":[\"9007199254740993.25\",\"9007199254740993.75\"]")
        .contains("\"median\":\"1.675\",\"quartiles\":[\"1.3875\",\"1.9625\"]")
        .contains("\"median\":0.375,");
    JsonNode one = json(path + "?where=half%20%3D%200.5").get("columns");
    assertThat(one.get(0).has("deviation")).isFalse();
    assertThat(one.at("/2/quartiles").toString()).isEqualTo("[0.5,0.5]");
    JsonNode none = json(path + "?where=half%20%3D%201").get("columns");
    assertThat(none.get(0).propertyNames())
        .doesNotContain("mean", "deviation", "median", "quartiles");
    assertThat(none.get(4).propertyNames()).doesNotContain("length");
  }

  @Test
  void columnsAreSelectedByPathsThroughStructs() throws Exception {
    JsonNode columns =
        json("/datasets/profile@1/statistics?columns=point.y,number&columns=%5B1%5D")
            .get("columns");
    assertThat(columns)
        .extracting(column -> column.get("column").asString())
        .containsExactly("point.y", "number", "color");
  }

  @Test
  void unknownColumnIsABadRequestWithANearName() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/profile/statistics?columns=nubmer");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(text(response)).contains("the nearest is \\\"number\\\"");
    assertThat(header(response, "ETag")).isEmpty();
    HttpResponse<byte[]> below = get("/datasets/profile/statistics?columns=number.x");
    assertThat(below.statusCode()).isEqualTo(400);
    assertThat(text(below)).contains("Expected a path through structs");
  }

  @Test
  void statisticsAreNeitherCalculatedForAHeadNorForAClientThatHasThem() throws Exception {
    put("/datasets/profile-tag", Streams.table(Codec.NONE, 30));
    long before = profiles.evaluationCount();
    String path = "/datasets/profile-tag/statistics";
    HttpResponse<byte[]> head = head(path);
    String tag = header(head, "ETag");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(tag).startsWith("\"");
    assertThat(get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
    assertThat(profiles.evaluationCount()).isEqualTo(before);
    HttpResponse<byte[]> response = get(path);
    assertThat(header(response, "ETag")).isEqualTo(tag);
    assertThat(profiles.evaluationCount()).isEqualTo(before + 1);
    assertThat(get(path).body()).isEqualTo(response.body());
    assertThat(profiles.evaluationCount()).isEqualTo(before + 1);
    assertThat(header(get(path + "?columns=number"), "ETag")).isNotEqualTo(tag);
    assertThat(header(get(path + "?numbers=string"), "ETag")).isNotEqualTo(tag);
    assertThat(header(get("/datasets/profile-tag@1/statistics"), "Cache-Control"))
        .contains("immutable");
  }

  @Test
  void describesTheRowsThatMatch() throws Exception {
    put("/datasets/profile-where", Streams.table(Codec.ZSTD, 30, 0, 50, 20));
    String path = "/datasets/profile-where/statistics?where=number%20%25%2010%20%3D%207";
    JsonNode document = json(path);
    assertThat(document.get("rows").intValue()).isEqualTo(10);
    JsonNode number = document.at("/columns/0");
    assertThat(number.get("min").intValue()).isEqualTo(7);
    assertThat(number.get("max").intValue()).isEqualTo(97);
    assertThat(number.get("distinctApproximate").intValue()).isEqualTo(10);
    assertThat(number.at("/histogram/0/from").intValue()).isEqualTo(7);
    assertThat(number.at("/histogram/19/to").intValue()).isEqualTo(97);
    assertThat(number.at("/top/0").toString()).isEqualTo("{\"value\":7,\"count\":1}");
    String tag = header(get(path), "ETag");
    long before = profiles.evaluationCount();
    assertThat(get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
    assertThat(header(head(path), "ETag")).isEqualTo(tag);
    assertThat(profiles.evaluationCount()).isEqualTo(before);
    assertThat(header(get("/datasets/profile-where/statistics"), "ETag")).isNotEqualTo(tag);
    assertThat(json("/datasets/profile-where/statistics").get("rows").intValue()).isEqualTo(100);
    JsonNode none = json("/datasets/profile-where/statistics?where=number%20%3C%200");
    assertThat(none.get("rows").intValue()).isZero();
    assertThat(none.at("/columns/0").has("min")).isFalse();
    assertThat(get("/datasets/profile-where/statistics?where=nmber%20%3C%200").statusCode())
        .isEqualTo(400);
  }

  @Test
  void columnsAreLimited() throws Exception {
    assertThat(get("/datasets/profile/statistics").statusCode()).isEqualTo(200);
    put("/datasets/sample-wide", Streams.columns(6));
    HttpResponse<byte[]> response = get("/datasets/sample-wide/statistics");
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(text(response)).contains("quiver.limits.statistics-columns");
    assertThat(get("/datasets/sample-wide/statistics?columns=column%200").statusCode())
        .isEqualTo(200);
  }

  @Test
  void unknownDatasetIsNotFound() throws Exception {
    assertThat(get("/datasets/absent/statistics").statusCode()).isEqualTo(404);
    assertThat(get("/datasets/profile@9/statistics").statusCode()).isEqualTo(404);
  }
}
