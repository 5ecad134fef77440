package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// JSON with the columns and the number of rows, by the parameter `envelope`.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EnvelopeTest extends RunningService {

  private static final String COLUMNS =
      "{\"columns\":[{\"name\":\"n\",\"type\":\"int64\"},{\"name\":\"t\\\"\",\"type\":\"utf8\"}],\"data\":[";

  private static final String ALL =
      COLUMNS + "\n{\"n\":1,\"t\\\"\":\"é\"},\n{\"n\":2,\"t\\\"\":null}\n],\"rows\":2}\n";

  @BeforeAll
  void store() throws Exception {
    byte[] body = "n,\"t\"\"\"\n1,é\n2,\n".getBytes(StandardCharsets.UTF_8);
    assertThat(put("/datasets/enveloped.csv?csv.types=n:int64", body).statusCode()).isIn(200, 201);
  }

  @Test
  void isOfferedWhereverJsonIs() throws Exception {
    String sql = "SELECT * FROM enveloped";
    assertThat(text(get("/datasets/enveloped.json?envelope=true"))).isEqualTo(ALL);
    assertThat(text(get("/datasets/enveloped?envelope=true", "Accept", "application/json")))
        .isEqualTo(ALL);
    assertThat(text(get("/sql.json?envelope=true&q=SELECT+*+FROM+enveloped"))).isEqualTo(ALL);
    assertThat(text(post("/sql.json?envelope=true", sql.getBytes(StandardCharsets.UTF_8))))
        .isEqualTo(ALL);
    HttpResponse<byte[]> converted =
        post(
            "/convert?envelope=true",
            get("/datasets/enveloped.arrow").body(),
            "Accept",
            "application/json");
    assertThat(text(converted)).isEqualTo(ALL);
  }

  @Test
  void rowsAreThoseOfTheResponse() throws Exception {
    assertThat(text(get("/datasets/enveloped.json?envelope=true&where=n=2&columns=n")))
        .isEqualTo(
            "{\"columns\":[{\"name\":\"n\",\"type\":\"int64\"}],\"data\":[\n{\"n\":2}\n],\"rows\":1}\n");
    assertThat(text(get("/datasets/enveloped.json?envelope=true&limit=0")))
        .isEqualTo(COLUMNS + "],\"rows\":0}\n");
    assertThat(text(get("/sql.json?envelope=true&q=SELECT+1+AS+a,+2+AS+a")))
        .isEqualTo(
            "{\"columns\":[{\"name\":\"a\",\"type\":\"int32\"},{\"name\":\"a_1\",\"type\":\"int32\"}],\"data\":[\n{\"a\":1,\"a_1\":2}\n],\"rows\":1}\n");
  }

  @Test
  void isARepresentationOfItsOwn() throws Exception {
    HttpResponse<byte[]> plain = get("/datasets/enveloped.json");
    HttpResponse<byte[]> enveloped = get("/datasets/enveloped.json?envelope=true");
    assertThat(header(enveloped, "ETag")).isNotEqualTo(header(plain, "ETag"));
    assertThat(header(enveloped, "Arrow-Row-Count")).isEqualTo("2");
    assertThat(header(get("/datasets/enveloped.json?envelope=false"), "ETag"))
        .isEqualTo(header(plain, "ETag"));
    assertThat(header(head("/datasets/enveloped.json?envelope=true"), "Content-Length"))
        .isEqualTo("" + enveloped.body().length);
    assertThat(text(get("/datasets/enveloped.json?envelope=true", "Range", "bytes=0-8")))
        .isEqualTo("{\"columns");
    String sql = "/sql.json?q=SELECT+*+FROM+enveloped";
    assertThat(header(get(sql + "&envelope=true"), "ETag")).isNotEqualTo(header(get(sql), "ETag"));
  }

  @ParameterizedTest
  @CsvSource({
    "/datasets/enveloped.csv?",
    "/datasets/enveloped.jsonl?",
    "/datasets/enveloped.arrow?",
    "/sql.csv?q=SELECT+1&"
  })
  void otherFormatsRejectIt(String path) throws Exception {
    HttpResponse<byte[]> response = get(path + "envelope=true");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected no envelope, which only JSON has, but found \"true\" at parameter envelope");
  }
}
