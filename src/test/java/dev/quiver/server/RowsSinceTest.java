package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.blob.BlobStore;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import tools.jackson.databind.JsonNode;

/// The parameter `since`. `AppendHistoryTest` covers which versions it may name.
class RowsSinceTest extends RunningService {

  @Autowired private BlobStore store;

  /// Writes versions 1 to 4 with 3, 5, 5 and 9 rows, where version 3 is a compaction.
  private void grow(String path) throws Exception {
    if (get(path).statusCode() == 404) {
      put(path, Streams.numbers(0, 3));
      post(path, Streams.numbers(3, 2));
      post(path + "/compact", new byte[0]);
      post(path, Streams.numbers(5, 4));
    }
  }

  private static List<Integer> numbers(HttpResponse<byte[]> csv) {
    assertThat(csv.statusCode()).as(text(csv)).isEqualTo(200);
    return text(csv).lines().skip(1).map(Integer::valueOf).toList();
  }

  private static List<Integer> from(int first, int end) {
    return IntStream.range(first, end).boxed().toList();
  }

  @Test
  void selectsTheRowsAppendedAfterAVersion() throws Exception {
    grow("/datasets/since");
    assertThat(numbers(get("/datasets/since.csv?since=1"))).isEqualTo(from(3, 9));
    assertThat(numbers(get("/datasets/since.csv?since=2"))).isEqualTo(from(5, 9));
    assertThat(numbers(get("/datasets/since.csv?since=3"))).isEqualTo(from(5, 9));
    HttpResponse<byte[]> latest = get("/datasets/since.csv?since=4");
    assertThat(numbers(latest)).isEmpty();
    assertThat(header(latest, "Quiver-Version")).isEqualTo("4");
    assertThat(header(latest, "Arrow-Row-Count")).isEqualTo("0");
    assertThat(numbers(get("/datasets/since@3.csv?since=1"))).isEqualTo(from(3, 5));
  }

  @Test
  void otherParametersCountWithinTheRows() throws Exception {
    grow("/datasets/since");
    assertThat(numbers(get("/datasets/since.csv?since=1&offset=2&limit=3"))).isEqualTo(from(5, 8));
    assertThat(numbers(get("/datasets/since.csv?since=1&offset=5"))).isEqualTo(from(8, 9));
    assertThat(numbers(get("/datasets/since.csv?since=2&limit=1&columns=number")))
        .isEqualTo(from(5, 6));
    assertThat(numbers(get("/datasets/since.csv?since=1&offset=" + Long.MAX_VALUE))).isEmpty();
    assertThat(numbers(get("/datasets/since.csv?since=1&offset=-2"))).isEqualTo(from(7, 9));
    assertThat(numbers(get("/datasets/since.csv?since=1&offset=-6&limit=2"))).isEqualTo(from(3, 5));
    assertThat(numbers(get("/datasets/since.csv?since=1&sample=3"))).isEqualTo(List.of(3, 5, 7));
    assertThat(numbers(get("/datasets/since.csv?since=2&offset=-9"))).isEqualTo(from(5, 9));
    assertThat(numbers(get("/datasets/since.csv?since=4&offset=-9"))).isEmpty();
  }

  /// The bytes and the tag are those of the same rows selected by number.
  @ParameterizedTest
  @ValueSource(
      strings = {".arrow", ".arrows", ".json", ".jsonl", ".csv", ".tsv", "", ".arrow?codec=zstd"})
  void everyRepresentationHasTheRows(String rest) throws Exception {
    grow("/datasets/since");
    String separator = rest.contains("?") ? "&" : "?";
    HttpResponse<byte[]> since = get("/datasets/since@4" + rest + separator + "since=2");
    HttpResponse<byte[]> offset = get("/datasets/since@4" + rest + separator + "offset=5");
    assertThat(since.statusCode()).isEqualTo(200);
    assertThat(since.body()).isEqualTo(offset.body());
    assertThat(header(since, "ETag")).isEqualTo(header(offset, "ETag"));
    assertThat(header(since, "Arrow-Row-Count")).isEqualTo("4");
    assertThat(header(since, "Cache-Control")).contains("immutable");
    assertThat(header(get("/datasets/since" + rest + separator + "since=2"), "Cache-Control"))
        .isEqualTo("no-cache");
  }

  @Test
  void emptyResponseHasTheSchemaAndATagOfItsOwn() throws Exception {
    grow("/datasets/since");
    HttpResponse<byte[]> empty = get("/datasets/since.arrows?since=4");
    assertThat(empty.body()).isEqualTo(get("/datasets/since.arrows?limit=0").body());
    HttpResponse<byte[]> known =
        get("/datasets/since.arrows?since=4", "If-None-Match", header(empty, "ETag"));
    assertThat(known.statusCode()).isEqualTo(304);
    assertThat(header(known, "Quiver-Version")).isEqualTo("4");
  }

  @Test
  void linksKeepTheRows() throws Exception {
    grow("/datasets/since");
    assertThat(header(get("/datasets/since.csv?since=2&limit=3"), "Link"))
        .contains("</datasets/since@4.arrow?since=2&limit=3>; rel=\"alternate\"");
    HttpResponse<byte[]> page = get("/datasets/since?since=2", "Accept", "text/html");
    assertThat(text(page)).contains("<a href=\"/datasets/since@4.csv?since=2\">");
  }

  @Test
  void tellsAReplacement() throws Exception {
    put("/datasets/since-replaced", Streams.numbers(0, 3));
    post("/datasets/since-replaced", Streams.numbers(3, 2));
    put("/datasets/since-replaced", Streams.numbers(7, 1));
    post("/datasets/since-replaced", Streams.numbers(8, 1));
    HttpResponse<byte[]> replaced = get("/datasets/since-replaced.csv?since=2");
    assertThat(replaced.statusCode()).isEqualTo(409);
    JsonNode problem = json(replaced);
    assertThat(problem.get("type").asString()).isEqualTo("urn:quiver:problem:replaced");
    assertThat(problem.get("replacement").intValue()).isEqualTo(3);
    assertThat(numbers(get("/datasets/since-replaced.csv?since=3"))).isEqualTo(from(8, 9));
    assertThat(numbers(get("/datasets/since-replaced@2.csv?since=1"))).isEqualTo(from(3, 5));
  }

  @Test
  void tellsAnExpiredVersionALaterOneAndADeletion() throws Exception {
    grow("/datasets/since-expired");
    store.delete(store.list("manifests/_since-expired_/", null, 9).getLast());
    HttpResponse<byte[]> expired = get("/datasets/since-expired.csv?since=1");
    assertThat(expired.statusCode()).isEqualTo(410);
    assertThat(json(expired).get("type").asString()).isEqualTo("urn:quiver:problem:gone");
    assertThat(json(expired).get("oldest").intValue()).isEqualTo(2);
    assertThat(get("/datasets/since-expired.csv?since=5").statusCode()).isEqualTo(404);
    delete("/datasets/since-expired");
    assertThat(get("/datasets/since-expired.csv?since=2").statusCode()).isEqualTo(410);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "+1", "1.5", "", "9223372036854775808"})
  void rejectsOtherValues(String value) throws Exception {
    HttpResponse<byte[]> invalid = get("/datasets/sample.csv?since=" + value.replace("+", "%2B"));
    assertThat(invalid.statusCode()).isEqualTo(400);
    assertThat(json(invalid).get("detail").asString())
        .isEqualTo(
            "Expected a whole number from 1 to 9223372036854775807 but found \"%s\" at parameter"
                    .formatted(value)
                + " since");
  }
}
