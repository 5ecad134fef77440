package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Reads with the parameter `where`. `sql.query.ConditionsTest` covers which rows match.
class WhereTest extends RunningService {

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/where").statusCode() == 404) {
      put("/datasets/where?batches=keep", Streams.table(Codec.ZSTD, 30, 0, 50, 20));
    }
  }

  private static String query(String condition) {
    return "?where=" + URLEncoder.encode(condition, StandardCharsets.UTF_8);
  }

  private HttpResponse<byte[]> csv(String condition, String further) throws Exception {
    return get("/datasets/where.csv" + query(condition) + "&columns=number" + further);
  }

  @Test
  void textHasTheRowsThatMatch() throws Exception {
    assertThat(text(csv("number in (3, 29, 30, 99)", "")))
        .isEqualTo("number\n3\n29\n30\n99\n".replace("\n", "\r\n"));
    assertThat(text(csv("number >= 95", "&offset=1&limit=2")))
        .isEqualTo("number\n96\n97\n".replace("\n", "\r\n"));
    assertThat(text(csv("number >= 95", "&offset=-1"))).isEqualTo("number\r\n99\r\n");
    assertThat(text(csv("number % 10 = 0", "&sample=2"))).isEqualTo("number\r\n0\r\n50\r\n");
    assertThat(text(csv("number < 0", ""))).isEqualTo("number\r\n");
  }

  @Test
  void arrowDataHasALengthRangesAndAnEntityTag() throws Exception {
    for (String suffix : new String[] {".arrow", ".arrows", ".csv", ".json"}) {
      String path = "/datasets/where" + suffix + query("number % 7 = 3");
      HttpResponse<byte[]> whole = get(path);
      assertThat(whole.statusCode()).as(text(whole)).isEqualTo(200);
      HttpResponse<byte[]> head = head(path);
      assertThat(header(head, "Content-Length")).isEqualTo("" + whole.body().length);
      HttpResponse<byte[]> range = get(path, "Range", "bytes=5-20");
      assertThat(range.statusCode()).isEqualTo(206);
      assertThat(range.body()).isEqualTo(Arrays.copyOfRange(whole.body(), 5, 21));
      String tag = header(whole, "ETag");
      assertThat(tag).doesNotStartWith("W/");
      assertThat(get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
      String other = header(get(path.replace("3", "4")), "ETag");
      assertThat(other).isNotEqualTo(tag);
    }
  }

  @Test
  void matchesAreCountedInTheHeader() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/where.arrow" + query("number % 7 = 3"));
    assertThat(header(response, "Arrow-Row-Count")).isEqualTo("14");
    assertThat(header(response, "Link")).contains("where=number");
  }

  @Test
  void reportsThePositionOfAnInvalidCondition() throws Exception {
    HttpResponse<byte[]> unknown = csv("numbr > 1", "");
    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(text(unknown))
        .contains("urn:quiver:problem:invalid-sql")
        .contains("the nearest is number")
        .contains("\"position\":0");
    HttpResponse<byte[]> refused = csv("number > (select 1)", "");
    assertThat(text(refused))
        .contains("urn:quiver:problem:sql-not-allowed")
        .contains("\"position\":9");
  }

  @Test
  void problemsHaveAHint() throws Exception {
    HttpResponse<byte[]> empty = csv("", "");
    assertThat(empty.statusCode()).isEqualTo(400);
    assertThat(json(empty).get("detail").asString())
        .isEqualTo("Expected a condition but found none at parameter where");
    assertThat(json(empty).get("hint").asString()).startsWith("Leave where out");
    assertThat(json(csv("nothing", "")).get("hint").asString())
        .startsWith("Send search=nothing to find it in any text");
    HttpResponse<byte[]> value = csv("'nothing'", "");
    assertThat(value.statusCode()).isEqualTo(422);
    assertThat(json(value).get("hint").asString()).startsWith("Send search=nothing");
  }

  @Test
  void pageHasTheRowsThatMatch() throws Exception {
    HttpResponse<byte[]> page =
        get("/datasets/where" + query("number = 42"), "Accept", "text/html");
    assertThat(page.statusCode()).as(text(page)).isEqualTo(200);
    assertThat(text(page)).contains(">42<").doesNotContain(">41<");
  }

  @Test
  void conditionOfADatasetThatDoesNotExistIsNotFound() throws Exception {
    assertThat(get("/datasets/absent.csv" + query("a = 1")).statusCode()).isEqualTo(404);
  }
}
