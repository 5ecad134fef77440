package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Uploads whose format nothing but their bytes tells.
class RecognizedUploadTest extends RunningService {

  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String[] ASYNC = {"Prefer", "respond-async, wait=30"};

  /// Errors that servers, proxies and services send in the place of data.
  private static final List<String> ERRORS =
      List.of(
          "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n"
              + "<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx/1.27.3</center>\r\n"
              + "</body>\r\n</html>\r\n",
          "<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\">\n<html><head>\n"
              + "<title>404 Not Found</title>\n</head><body>\n<h1>Not Found</h1>\n"
              + "<p>The requested URL, was not found, on this server.</p>\n</body></html>\n",
          "\n\n<!doctype html>\n<title>Sign in, please</title>\n<p>a,b,c\n",
          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>NoSuchKey</Code></Error>",
          "{\"error\":\"Internal Server Error\",\"status\":500,\"path\":\"/weather.csv\"}",
          "{\n  \"message\": \"API rate limit exceeded, try later\",\n  \"code\": 429\n}\n",
          "{\"errors\":[{\"id\":1,\"detail\":\"a,b\"}]}\n",
          "[]\n",
          "[\"error\", \"not found\"]\n",
          "upstream request timeout",
          "Internal Server Error\n",
          "Service Unavailable\nRetry later\n",
          "one\ntwo\nthree\n",
          "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
          "a,b\n",
          "\u0000a,b\n1,2\n",
          "");

  @BeforeEach
  void store() throws Exception {
    delete("/datasets/guarded");
    assertStatus(201, put("/datasets/guarded.csv", bytes("city,degrees\nBern,12\nOslo,7\n")));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void assertStatus(int status, HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).as(text(response)).isEqualTo(status);
  }

  private String csv(String name) throws Exception {
    return text(get("/datasets/" + name + ".csv")).replace("\r\n", "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", FORM, "application/octet-stream", "text/plain", "text/plain;charset=UTF-8"})
  void tableIsCsvOfAnyGenericType(String type) throws Exception {
    String[] headers = type.isEmpty() ? new String[0] : new String[] {"Content-Type", type};
    byte[] body = bytes("city,degrees\nRom,20\n");
    HttpResponse<byte[]> replaced = put("/datasets/guarded", body, headers);
    assertStatus(200, replaced);
    assertThat(json(replaced).at("/found/format").asString()).isEqualTo("csv");
    assertStatus(200, post("/datasets/guarded", body, headers));
    assertThat(csv("guarded")).isEqualTo("city,degrees\nRom,20\nRom,20\n");
    HttpResponse<byte[]> unnamed = post("/datasets", body, headers);
    assertStatus(201, unnamed);
    assertThat(csv(json(unnamed).get("name").asString())).isEqualTo("city,degrees\nRom,20\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{\"city\":\"Rom\",\"degrees\":20}] | json",
        "{\"city\":\"Rom\",\"degrees\":20}~{\"city\":\"Rom\",\"degrees\":20}~ | json",
        "degrees;city~20;Rom~ | csv",
        "city\tdegrees~Rom\t20~ | csv",
        "\uFEFFcity,degrees~Rom,20~ | csv",
      })
  void rowsOfTheSameColumnsReplaceData(String body, String format) throws Exception {
    HttpResponse<byte[]> replaced = put("/datasets/guarded", bytes(body.replace('~', '\n')));
    assertStatus(200, replaced);
    assertThat(json(replaced).at("/found/format").asString()).isEqualTo(format);
    assertThat(csv("guarded")).contains("Rom").doesNotContain("Bern");
  }

  @Test
  void codedTableIsRecognized() throws Exception {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(coded)) {
      gzip.write(bytes("city,degrees\nRom,20\n"));
    }
    assertStatus(200, put("/datasets/guarded", coded.toByteArray()));
    assertStatus(200, put("/datasets/guarded.txt", bytes("city,degrees\nRom,21\n")));
    assertThat(csv("guarded")).isEqualTo("city,degrees\nRom,21\n");
  }

  static Stream<String> errors() {
    return ERRORS.stream();
  }

  /// The answer of another service, stored by a script that did not look at its status.
  @ParameterizedTest
  @MethodSource("errors")
  void errorOfAServiceIsNeverData(String error) throws Exception {
    int status = error.isEmpty() ? 400 : 415;
    for (String type : List.of("", FORM, "application/octet-stream", "text/plain")) {
      String[] headers = type.isEmpty() ? new String[0] : new String[] {"Content-Type", type};
      assertStatus(status, put("/datasets/guarded", bytes(error), headers));
      assertStatus(status, post("/datasets/guarded", bytes(error), headers));
      assertStatus(status, put("/datasets/unguarded", bytes(error), headers));
    }
    assertStatus(status, post("/datasets", bytes(error)));
    assertStatus(status, post("/datasets", form(bytes(error)), "Content-Type", FORM_DATA));
    assertThat(csv("guarded")).isEqualTo("city,degrees\nBern,12\nOslo,7\n");
    assertStatus(404, get("/datasets/unguarded"));
  }

  private static final String FORM_DATA = "multipart/form-data; boundary=b";

  private static byte[] form(byte[] data) {
    return bytes(
        "--b\r\nContent-Disposition: form-data; name=\"data\"\r\n\r\n%s\r\n--b--\r\n"
            .formatted(new String(data, StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "one~two~ | Send it to /datasets/guarded.csv, or with the header Content-Type: text/csv.",
        "{\"error\":1} | Send it to /datasets/guarded.json, or with the header Content-Type: application/json.",
        "<html></html> | Check where the data comes from: a page was sent in its place.",
        "BZh91AY&SY | Convert the data to Arrow, Parquet, CSV, JSON or Excel.",
      })
  void problemSaysWhatToDo(String body, String hint) throws Exception {
    HttpResponse<byte[]> response = put("/datasets/guarded", bytes(body.replace('~', '\n')), ASYNC);
    assertStatus(415, response);
    JsonNode found = json(response).get("hint");
    assertThat(found == null ? null : found.asString()).isEqualTo(hint);
    HttpResponse<byte[]> waiting = put("/datasets/guarded", bytes(body.replace('~', '\n')));
    assertThat(json(waiting).get("hint")).isEqualTo(found);
  }

  @Test
  void hintsLeadToSuccess() throws Exception {
    byte[] column = bytes("one\ntwo\n");
    assertThat(json(put("/datasets/hinted", column)).get("hint").asString())
        .contains("/datasets/hinted.csv", "text/csv");
    assertStatus(201, put("/datasets/hinted.csv", column));
    assertStatus(200, put("/datasets/hinted", column, "Content-Type", "text/csv"));
    byte[] object = bytes("{\"a\":1}");
    assertThat(json(put("/datasets/hinted", object)).get("hint").asString())
        .contains("/datasets/hinted.json", "application/json");
    assertStatus(200, put("/datasets/hinted.json", object));
    assertStatus(200, put("/datasets/hinted", object, "Content-Type", "application/json"));
  }

  @Test
  void otherColumnsReplaceNothingUnlessTheClientSaysSo() throws Exception {
    byte[] other = bytes("message,status\nnot found,404\n");
    byte[] json = bytes("[{\"message\":\"x\",\"status\":1}]");
    for (byte[] body : List.of(other, json)) {
      HttpResponse<byte[]> response = put("/datasets/guarded", body);
      assertStatus(409, response);
      JsonNode problem = json(response);
      assertThat(problem.get("type").asString()).isEqualTo("urn:quiver:problem:conflict");
      assertThat(problem.get("detail").asString())
          .isEqualTo(
              "Expected the columns of dataset guarded but found message, status at the body, whose"
                  + " format nothing states");
      assertThat(problem.get("hint").asString())
          .isEqualTo(
              "To replace the data, send it to /datasets/guarded.%s, or with the header If-Match: *."
                  .formatted(body == json ? "json" : "csv"));
      assertThat(text(response)).doesNotContain("city", "degrees");
      assertStatus(409, put("/datasets/guarded", body, ASYNC));
    }
    assertThat(csv("guarded")).isEqualTo("city,degrees\nBern,12\nOslo,7\n");
    assertStatus(200, put("/datasets/guarded", other, "If-Match", "*"));
    assertStatus(409, put("/datasets/guarded", bytes("a,b\n1,2\n")));
    assertStatus(200, put("/datasets/guarded.csv", bytes("a,b\n1,2\n")));
    String tag = header(get("/datasets/guarded.arrow"), "ETag");
    assertStatus(200, put("/datasets/guarded", other, "If-Match", tag));
    assertStatus(200, put("/datasets/guarded", bytes("a,b\n1,2\n"), "Content-Type", "text/csv"));
    delete("/datasets/guarded");
    assertStatus(201, put("/datasets/guarded", other));
  }

  @Test
  void otherFormatsReplaceAnything() throws Exception {
    byte[] parquet = get("/datasets/sample.parquet").body();
    assertStatus(200, put("/datasets/guarded", parquet));
    assertStatus(200, put("/datasets/guarded", Streams.numbers(0, 1)));
  }

  @Test
  void renamedColumnsCount() throws Exception {
    byte[] body = bytes("town,degrees\nRom,20\n");
    assertStatus(409, put("/datasets/guarded", body));
    assertStatus(200, put("/datasets/guarded?rename=town:city", body));
  }

  @Test
  void uploadInPartsIsRecognizedOnceItIsWhole() throws Exception {
    for (String body : List.of("city,degrees\nRom,20\n", "x,y\n1,2\n", "<html></html>")) {
      HttpResponse<byte[]> begun =
          put("/datasets/guarded", bytes(body.substring(0, 4)), "Upload-Complete", "?0");
      String location = header(begun, "Location").replaceFirst("^https?://[^/]*", "");
      HttpResponse<byte[]> ended =
          send(
              "PATCH",
              location,
              java.net.http.HttpRequest.BodyPublishers.ofByteArray(bytes(body.substring(4))),
              "Upload-Offset",
              "4",
              "Upload-Complete",
              "?1",
              "Content-Type",
              "application/partial-upload");
      assertStatus(body.startsWith("c") ? 200 : body.startsWith("x") ? 409 : 415, ended);
    }
    assertThat(csv("guarded")).isEqualTo("city,degrees\nRom,20\n");
  }

  @Test
  void sampleDecides() throws Exception {
    List<String> lines = new ArrayList<>(List.of("city,degrees"));
    for (int i = 0; i < 20_000; i++) {
      lines.add("Rom " + i + ",20");
    }
    assertStatus(200, put("/datasets/guarded", bytes(String.join("\n", lines))));
    // The first two lines are longer than the sample.
    String wide = "city".repeat(20_000) + ",degrees\nRom,20\n";
    assertStatus(415, put("/datasets/wide-sample", bytes(wide)));
    assertStatus(201, put("/datasets/wide-sample.csv", bytes(wide)));
  }

  /// Both media types of Arrow are one: the bytes tell which it is.
  @Test
  void suffixAndMediaTypeOfArrowMayDiffer() throws Exception {
    byte[] stream = Streams.numbers(0, 3);
    put("/datasets/either", stream);
    byte[] file = get("/datasets/either.arrow").body();
    for (String type :
        List.of("application/vnd.apache.arrow.stream", "application/vnd.apache.arrow.file")) {
      for (String suffix : List.of(".arrow", ".arrows", ".feather", "")) {
        for (byte[] body : List.of(stream, file)) {
          assertStatus(200, put("/datasets/either" + suffix, body, "Content-Type", type));
        }
      }
    }
    assertStatus(
        400,
        put("/datasets/either.csv", stream, "Content-Type", "application/vnd.apache.arrow.stream"));
  }
}
