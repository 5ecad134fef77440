package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.test.context.TestPropertySource;

/// The limit on text responses, reached exactly and exceeded by one row. [RowsTest] exceeds it
/// after the first write.
@TestPropertySource(properties = "quiver.limits.text-response-bytes=17B")
class RowsLimitTest extends RunningService {

  @BeforeEach
  void upload() throws Exception {
    put("/datasets/rows-fit", Streams.numbers(0, 3));
    put("/datasets/rows-pass", Streams.numbers(0, 4));
  }

  @Test
  void sendsTextOfExactlyTheLimit() throws Exception {
    assertThat(text(get("/datasets/rows-fit.csv")))
        .isEqualTo("number\r\n0\r\n1\r\n2\r\n")
        .hasSize(17);
  }

  @Test
  void rejectsTextOneRowOverTheLimit() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/rows-pass.csv");
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected at most 17 bytes of rendered text (quiver.limits.text-response-bytes) but found 20"
                + " at row 4");
    assertThat(header(response, "ETag")).isEmpty();
    assertThat(header(response, "Accept-Ranges")).isEmpty();
    assertThat(header(response, "Arrow-Row-Count")).isEmpty();
  }

  @Test
  void textLimitDoesNotApplyToArrowData() throws Exception {
    assertThat(get("/datasets/rows-pass.arrow").statusCode()).isEqualTo(200);
  }
}
