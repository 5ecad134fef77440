package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The format of a request body: a suffix of the path decides, then a specific media type, then the
/// first bytes.
class BodyFormatTest extends RunningService {

  private static final String FORM = "application/x-www-form-urlencoded";

  /// The generic types of curl, wget, axios, urllib and HTTPie. The empty one stands for none.
  private static final List<String> GENERIC =
      List.of(
          "",
          FORM,
          FORM + "; charset=utf-8",
          "application/json",
          "Application/JSON; charset=utf-8",
          "application/octet-stream");

  private static final List<String> REQUESTS =
      List.of(
          "PUT /datasets/generic",
          "POST /datasets/generic",
          "PUT /datasets/generic.feather",
          "POST /datasets",
          "POST /inspect",
          "POST /convert");

  static Stream<List<String>> genericRequests() {
    return REQUESTS.stream()
        .flatMap(request -> GENERIC.stream().map(type -> List.of(request, type)));
  }

  private HttpResponse<byte[]> send(String request, byte[] body, String type) throws Exception {
    String path = request.substring(request.indexOf('/'));
    String[] headers = type.isEmpty() ? new String[0] : new String[] {"Content-Type", type};
    return request.startsWith("PUT") ? put(path, body, headers) : post(path, body, headers);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("genericRequests")
  void firstBytesDecideForAGenericType(List<String> request) throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    put("/datasets/source", stream);
    for (byte[] body : List.of(stream, get("/datasets/source.arrow").body())) {
      assertThat(send(request.get(0), body, request.get(1)).statusCode()).isBetween(200, 201);
    }
  }

  @ParameterizedTest
  @MethodSource("genericRequests")
  void errorNamesWhatTheFirstBytesAre(List<String> request) throws Exception {
    HttpResponse<byte[]> response = send(request.get(0), bytes("FEA1\0\0\0\0"), request.get(1));
    assertThat(response.statusCode()).isEqualTo(415);
    assertThat(header(response, "Accept-Post")).contains("application/vnd.apache.arrow.stream");
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected an Arrow IPC stream or file but found a Feather V1 file at byte offset 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "version https://git-lfs.github.com/spec/v1~oid sha256:4d7a~ | a Git LFS pointer",
        "<!doctype html><html> | HTML or XML",
        "FEA1 | a Feather V1 file",
        "city population~Bern 134 | the text \"city population\"",
      })
  void errorNamesOtherFormats(String text, String name) throws Exception {
    HttpResponse<byte[]> response = put("/datasets/other", bytes(text.replace('~', '\n')));
    assertThat(response.statusCode()).isEqualTo(415);
    assertThat(json(response).get("detail").asString())
        .isEqualTo("Expected an Arrow IPC stream or file but found " + name + " at byte offset 0");
  }

  @ParameterizedTest
  @MethodSource("genericRequests")
  void rejectsAnEmptyBody(List<String> request) throws Exception {
    HttpResponse<byte[]> response = send(request.get(0), new byte[0], request.get(1));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo("Expected an Arrow IPC stream or file but found no data at byte offset 0");
  }

  /// To look up a parameter, Tomcat would read such a body as a form.
  @ParameterizedTest
  @ValueSource(strings = {"PUT /datasets/form", "POST /datasets", "POST /inspect", "POST /convert"})
  void parametersComeFromTheQueryAlone(String request) throws Exception {
    for (String body : List.of("codec=none", "nonsense=1", "%ZZ", "batches=all&truncated=x")) {
      HttpResponse<byte[]> response = send(request, bytes(body), FORM);
      assertThat(response.statusCode()).isEqualTo(415);
      assertThat(json(response).get("detail").asString())
          .isEqualTo(
              "Expected an Arrow IPC stream or file but found the text \""
                  + body.substring(0, Math.min(body.length(), 16))
                  + "…\" at byte offset 0");
    }
    assertThat(send(request + "?nonsense=1", Streams.numbers(0, 1), FORM).statusCode())
        .isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    ".csv, application/vnd.apache.arrow.stream, text/csv",
    ".arrow, text/csv, application/vnd.apache.arrow.file",
    ".feather, text/csv, application/vnd.apache.arrow.file",
    ".arrows, application/vnd.apache.parquet, application/vnd.apache.arrow.stream",
  })
  void rejectsATypeThatDiffersFromTheSuffix(String suffix, String type, String expected)
      throws Exception {
    for (String method : List.of("PUT", "POST")) {
      HttpResponse<byte[]> response =
          send(method + " /datasets/suffixed" + suffix, Streams.numbers(0, 1), type);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(json(response).get("detail").asString())
          .isEqualTo(
              "Expected %s, as the suffix of the path says, but found %s at header Content-Type"
                  .formatted(expected, type));
    }
    assertThat(get("/datasets/suffixed").statusCode()).isEqualTo(404);
  }

  /// The type of a simple request in CORS does not protect a resource, but the origin does.
  @ParameterizedTest
  @MethodSource("genericRequests")
  void pageOfAnotherSiteCannotWrite(List<String> request) throws Exception {
    String type = request.get(1).isEmpty() ? "" : "Content-Type: " + request.get(1) + "\n";
    for (String site : List.of("Origin: https://evil.test", "Sec-Fetch-Site: cross-site")) {
      assertThat(
              RawHttp.exchange(
                  port,
                  request.get(0)
                      + " HTTP/1.1\nHost: localhost\nContent-Length: 1000000\n"
                      + "Expect: 100-continue\n"
                      + type
                      + site
                      + "\n\n"))
          .startsWith("HTTP/1.1 403 ")
          .contains("urn:quiver:problem:cross-site");
    }
  }

  @ParameterizedTest
  @CsvSource({".feather, .arrow", ".ipc, .arrow", ".ndjson, .jsonl"})
  void suffixesHaveAliases(String alias, String suffix) throws Exception {
    put("/datasets/aliased", Streams.numbers(0, 3));
    for (String version : List.of("", "@1")) {
      HttpResponse<byte[]> aliased = get("/datasets/aliased" + version + alias + "?limit=2");
      HttpResponse<byte[]> canonical = get("/datasets/aliased" + version + suffix + "?limit=2");
      assertThat(aliased.statusCode()).isEqualTo(200);
      assertThat(aliased.body()).isEqualTo(canonical.body());
      assertThat(header(aliased, "ETag")).isEqualTo(header(canonical, "ETag"));
      assertThat(header(aliased, "Content-Type")).isEqualTo(header(canonical, "Content-Type"));
    }
  }

  @Test
  void nameExcludesAnAliasOfItsSuffix() throws Exception {
    byte[] stream = Streams.numbers(0, 1);
    for (String suffix : List.of(".feather", ".ipc")) {
      String name = "written" + suffix.length();
      assertThat(json(put("/datasets/" + name + suffix, stream)).get("name").asString())
          .isEqualTo(name);
      assertThat(json(post("/datasets/" + name + suffix, stream)).get("version").intValue())
          .isEqualTo(2);
      assertThat(delete("/datasets/" + name + suffix).statusCode()).isEqualTo(204);
    }
  }
}
