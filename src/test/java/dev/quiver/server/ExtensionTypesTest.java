package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// UUIDs and JSON over HTTP: as text and as JSON wherever values are shown.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExtensionTypesTest extends RunningService {

  private static final String FIRST = "0f010203-0405-0607-0809-0a0b0c0d0eff";
  private static final String SECOND = "f0000000-0000-4000-8000-000000000001";
  private static final String STATEMENT =
      "SELECT id::UUID AS id, [id::UUID] AS ids, d::JSON AS d FROM (VALUES ('%s', '{ \"a\": 1.50 }'), ('%s', NULL)) v(id, d)"
          .formatted(FIRST, SECOND);

  @BeforeAll
  void store() throws Exception {
    assertThat(
            put("/datasets/extensions", bytes(STATEMENT), "Content-Type", "application/sql")
                .statusCode())
        .isIn(200, 201);
    assertThat(
            put(
                    "/datasets/uuids.csv?csv.types=id:uuid",
                    bytes("id\n%s\n\n%s\n".formatted(FIRST.toUpperCase(Locale.ROOT), SECOND)))
                .statusCode())
        .isIn(200, 201);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private String rows(String path) throws Exception {
    return text(get("/datasets/" + path));
  }

  @Test
  void rowsHaveUuidsAsTextAndJsonAsJson() throws Exception {
    assertThat(rows("extensions.jsonl"))
        .isEqualTo(
            """
            {"id":"%s","ids":["%s"],"d":{"a":1.50}}
            {"id":"%s","ids":["%s"],"d":null}
            """
                .formatted(FIRST, FIRST, SECOND, SECOND));
    assertThat(rows("extensions.csv"))
        .isEqualTo(
            "id,ids,d\r\n%s,\"[\"\"%s\"\"]\",\"{ \"\"a\"\": 1.50 }\"\r\n%s,\"[\"\"%s\"\"]\",\r\n"
                .formatted(FIRST, FIRST, SECOND, SECOND));
    assertThat(rows("extensions.tsv"))
        .startsWith("id\tids\td\n%s\t[\"%s\"]\t{ \"a\": 1.50 }\n".formatted(FIRST, FIRST));
  }

  @Test
  void resultsOfStatementsAreLikeRows() throws Exception {
    String query = URLEncoder.encode(STATEMENT, StandardCharsets.UTF_8);
    for (String suffix : new String[] {"json", "jsonl", "csv", "tsv"}) {
      assertThat(text(get("/sql." + suffix + "?q=" + query)))
          .isEqualTo(rows("extensions." + suffix));
    }
  }

  @Test
  void schemasNameTheTypes() throws Exception {
    JsonNode schema = json(get("/datasets/extensions/schema"));
    assertThat(schema.at("/fields/0/arrowType").asString()).isEqualTo("uuid");
    assertThat(schema.at("/fields/0/type/name").asString()).isEqualTo("fixedsizebinary");
    assertThat(schema.at("/fields/1/arrowType").asString()).startsWith("list<").contains("uuid");
    assertThat(schema.at("/fields/2/arrowType").asString()).isEqualTo("json");
    JsonNode stored =
        json(
            put(
                "/datasets/uuids-again.csv?csv.types=id:uuid&verbose=true",
                bytes("id\n" + FIRST + "\n")));
    assertThat(stored.at("/columns/0/type").asString()).isEqualTo("uuid");
  }

  @Test
  void statisticsHaveUuidsAsText() throws Exception {
    JsonNode column = json(get("/datasets/uuids/statistics")).at("/columns/0");
    assertThat(column.get("type").asString()).isEqualTo("uuid");
    assertThat(column.get("min").asString()).isEqualTo(FIRST);
    assertThat(column.get("max").asString()).isEqualTo(SECOND);
    assertThat(column.at("/top/0/value").asString()).isEqualTo(FIRST);
    JsonNode batch = json(get("/datasets/uuids/batches?statistics=true"));
    assertThat(batch.at("/batches/0/statistics/0/min").asString()).isEqualTo(FIRST);
    assertThat(batch.at("/batches/0/statistics/0/max").asString()).isEqualTo(SECOND);
  }

  @Test
  void statisticsHaveTheTextOfJson() throws Exception {
    JsonNode column = json(get("/datasets/extensions/statistics?columns=d")).at("/columns/0");
    assertThat(column.get("min").asString()).isEqualTo("{ \"a\": 1.50 }");
  }

  @Test
  void pagesHaveUuidsAsText() throws Exception {
    assertThat(text(get("/datasets/uuids", "Accept", "text/html"))).contains(FIRST, SECOND);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id = '" + SECOND + "'",
        "id IN ('" + SECOND + "')",
        "id > '" + FIRST + "'",
        "id = UUID '" + SECOND + "'",
        "id::VARCHAR LIKE 'f%'"
      })
  void conditionsCompareTheTextThatRowsHave(String condition) throws Exception {
    String where = URLEncoder.encode(condition, StandardCharsets.UTF_8);
    assertThat(rows("uuids.csv?where=" + where)).isEqualTo("id\r\n" + SECOND + "\r\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "tsv"})
  void textThatIsWrittenIsAppended(String suffix) throws Exception {
    String name = "uuids-" + suffix;
    put("/datasets/" + name + ".csv?csv.types=id:uuid", bytes("id\n%s\n".formatted(FIRST)));
    String written = rows("uuids." + suffix);
    assertThat(post("/datasets/" + name + "." + suffix, bytes(written)).statusCode())
        .isEqualTo(200);
    assertThat(rows(name + ".jsonl?offset=1")).isEqualTo(rows("uuids.jsonl"));
  }
}
