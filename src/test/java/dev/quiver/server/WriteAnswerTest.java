package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// The answer to an upload: short, unless the client wants all of it.
class WriteAnswerTest extends RunningService {

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void answerIsShort() throws Exception {
    HttpResponse<byte[]> created = put("/datasets/answer", Streams.numbers(0, 3));
    assertThat(text(created))
        .matches(
            "\\{\"name\":\"answer\",\"version\":1,\"rows\":3,\"bytes\":[0-9]+,\"etag\":\"[^,]+\"}\n");
    assertThat(header(created, "Location")).isEqualTo("/datasets/answer");
  }

  @Test
  void answerTellsWhatWasFoundConvertedAndLeftOut() throws Exception {
    HttpResponse<byte[]> created = put("/datasets/told.csv", bytes("a;b\n1;x\n2;n/a\n"));
    assertThat(json(created).propertyNames())
        .containsExactly("name", "version", "rows", "bytes", "etag", "found");
    JsonNode warned = json(put("/datasets/told.csv", bytes("a,b\n1,x\nn/a,y\n3,z\n4,z\n")));
    assertThat(warned.get("warnings")).hasSize(1);
    assertThat(warned.get("options")).hasSize(1);
    JsonNode skipped = json(put("/datasets/told.csv?csv.rows=skip", bytes("a,b\n1,x\n2\n3,z\n")));
    assertThat(skipped.at("/skipped/count").intValue()).isOne();
    put("/datasets/converting.jsonl", bytes("{\"number\":1}\n{\"number\":2}\n"));
    JsonNode converted = json(post("/datasets/converting", Streams.numbers(0, 1)));
    assertThat(converted.at("/converted/0/column").asString()).isEqualTo("number");
    JsonNode ending = json(put("/datasets/told.csv?expires=1h", bytes("a,b\n1,x\n")));
    assertThat(ending.has("expires")).isTrue();
  }

  @Test
  void linksAreInAHeader() throws Exception {
    put("/datasets/answer-linked", Streams.numbers(0, 3));
    HttpResponse<byte[]> appended = post("/datasets/answer-linked", Streams.numbers(3, 1));
    assertThat(header(appended, "Link"))
        .startsWith("</datasets/answer-linked@2/schema>; rel=\"describedby\"")
        .contains(
            "</datasets/answer-linked@2/batches>; rel=\"index\"",
            "</datasets/answer-linked@2.arrow>; rel=\"alternate\"; type=\"application/vnd.apache.arrow.file\"",
            "</datasets/answer-linked@2.txt>; rel=\"alternate\"; type=\"text/plain\"",
            "</datasets/answer-linked>; rel=\"latest-version\"",
            "</datasets/answer-linked/versions>; rel=\"version-history\"");
    for (String link : header(appended, "Link").split(", <")) {
      String path = link.replaceFirst("^<", "").replaceFirst(">.*", "");
      assertThat(get(path).statusCode()).as(path).isEqualTo(200);
    }
  }

  @Test
  void verboseAnswerHasAllMembers() throws Exception {
    for (String query : List.of("?verbose=true", "?verbose=false", "")) {
      HttpResponse<byte[]> written = put("/datasets/verbose.csv" + query, bytes("a,b\n1,x\n"));
      boolean isVerbose = query.endsWith("true");
      assertThat(json(written).has("links")).isEqualTo(isVerbose);
      assertThat(json(written).has("columns")).isEqualTo(isVerbose);
      assertThat(json(written).has("kind")).isEqualTo(isVerbose);
      HttpResponse<byte[]> compacted = post("/datasets/verbose/compact" + query, new byte[0]);
      assertThat(json(compacted).has("links")).isEqualTo(isVerbose);
      HttpResponse<byte[]> job =
          put(
              "/datasets/verbose.csv" + query,
              bytes("a,b\n1,x\n"),
              "Prefer",
              "respond-async, wait=30");
      assertThat(json(job).has("links")).isEqualTo(isVerbose);
    }
    assertThat(put("/datasets/verbose?verbose=yes", Streams.numbers(0, 1)).statusCode())
        .isEqualTo(400);
  }
}
