package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;

/// Uploads as `multipart/form-data`, with their parts in either order. A rejected upload leaves no
/// file. `FormPartsTest` tests the parsing of forms.
@TestPropertySource(
    properties = {
      "quiver.limits.form-metadata-bytes=4KB",
      "quiver.limits.request-bytes=1MB",
      "quiver.storage.path=${test.folder}/forms"
    })
class FormUploadTest extends RunningService {

  private static final String TYPE = "multipart/form-data; boundary=------------------------4f";

  private static byte[] form(byte[]... parts) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      body.writeBytes(bytes("--------------------------4f\r\n"));
      body.writeBytes(part);
      body.writeBytes(bytes("\r\n"));
    }
    body.writeBytes(bytes("--------------------------4f--\r\n"));
    return body.toByteArray();
  }

  private static byte[] part(String name, String type, byte[] content) {
    ByteArrayOutputStream part = new ByteArrayOutputStream();
    part.writeBytes(
        bytes(
            "Content-Disposition: form-data; name=\"%s\"\r\nContent-Type: %s\r\n\r\n"
                .formatted(name, type)));
    part.writeBytes(content);
    return part.toByteArray();
  }

  private static byte[] data(byte[] content) {
    return part("data", "application/octet-stream", content);
  }

  private static byte[] metadata(String json) {
    return part("metadata", "application/json", bytes(json));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private HttpResponse<byte[]> send(byte[]... parts) throws Exception {
    return post("/datasets", form(parts), "Content-Type", TYPE);
  }

  private static List<Path> files() throws Exception {
    try (Stream<Path> files = Files.walk(FOLDER.resolve("forms"))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private void assertRejected(int status, String type, String detail, byte[]... parts)
      throws Exception {
    assertBodyRejected(status, type, detail, form(parts));
  }

  private void assertBodyRejected(int status, String type, String detail, byte[] body)
      throws Exception {
    List<Path> before = files();
    HttpResponse<byte[]> response = post("/datasets", body, "Content-Type", TYPE);
    assertThat(json(response).get("detail").asString()).isEqualTo(detail);
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:" + type);
    assertThat(files()).isEqualTo(before);
    assertThat(get("/datasets/rejected").statusCode()).isEqualTo(404);
  }

  @Test
  void dataWithoutMetadataGetsAGeneratedName() throws Exception {
    byte[] stream = Streams.numbers(0, 1000);
    HttpResponse<byte[]> created = send(data(stream));
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(header(created, "Location"))
        .isEqualTo("/datasets/" + json(created).get("name").asString());
    assertThat(get(header(created, "Location") + ".arrows").body()).isEqualTo(stream);
  }

  @Test
  void metadataMayPrecedeOrFollowTheData() throws Exception {
    byte[] stream = Streams.numbers(0, 1000, 1000);
    put("/datasets/file?batches=keep", stream);
    byte[] file = get("/datasets/file.arrow").body();
    for (byte[] data :
        List.of(
            data(stream),
            data(file),
            part("data", "application/vnd.apache.arrow.stream", stream),
            part("data", "application/vnd.apache.arrow.file", file))) {
      int number = files().size();
      String names = "{\"name\": \"%s\", \"codec\": \"zstd\", \"batches\": \"keep\"}";
      byte[] before = metadata(names.formatted("before" + number));
      byte[] after = metadata(names.formatted("after" + number));
      for (HttpResponse<byte[]> response : List.of(send(before, data), send(data, after))) {
        assertThat(response.statusCode()).isEqualTo(201);
        assertThat(json(response).get("name").asString()).isIn("before" + number, "after" + number);
        String dataset = header(response, "Location");
        assertThat(Streams.rowsOfBatches(get(dataset + ".arrows").body()))
            .containsExactly(1000L, 1000L);
        assertThat(json(dataset + "/batches").at("/batches/0/codec").asString()).isEqualTo("zstd");
      }
    }
  }

  @Test
  void queryParametersCompleteTheMetadata() throws Exception {
    byte[] body = form(metadata("{\"batches\": \"keep\"}"), data(Streams.numbers(0, 3, 4)));
    HttpResponse<byte[]> response = post("/datasets?codec=lz4", body, "Content-Type", TYPE);
    String dataset = header(response, "Location");
    assertThat(json(dataset + "/batches").get("batches").size()).isEqualTo(2);
    assertThat(json(dataset + "/batches").at("/batches/0/codec").asString()).isEqualTo("lz4");
    assertThat(send(metadata("{}"), data(Streams.numbers(0, 3))).statusCode()).isEqualTo(201);
  }

  @Test
  void decodesAFormWithAContentCoding() throws Exception {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(coded)) {
      gzip.write(form(metadata("{\"name\": \"coded\"}"), data(Streams.numbers(0, 1000))));
    }
    HttpResponse<byte[]> response =
        post("/datasets", coded.toByteArray(), "Content-Type", TYPE, "Content-Encoding", "gzip");
    assertThat(response.statusCode()).isEqualTo(201);
    assertThat(header(response, "Location")).isEqualTo("/datasets/coded");
  }

  /// The limit applies before the data is known not to be Arrow data.
  @Test
  void requestLimitCountsDecodedDataOfAForm() throws Exception {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(coded)) {
      gzip.write(form(data(new byte[2_000_000])));
    }
    HttpResponse<byte[]> response =
        post("/datasets", coded.toByteArray(), "Content-Type", TYPE, "Content-Encoding", "gzip");
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(json(response).at("/limit/key").asString()).isEqualTo("quiver.limits.request-bytes");
  }

  @Test
  void rejectsTheNameOfAnExistingDataset() throws Exception {
    byte[] taken = metadata("{\"name\": \"taken\"}");
    byte[] data = data(Streams.numbers(0, 1));
    assertThat(send(taken, data).statusCode()).isEqualTo(201);
    String detail = "Expected a new name but found taken at member name of part metadata";
    assertRejected(409, "conflict", detail, taken, data);
    assertRejected(409, "conflict", detail, data, taken);
    assertThat(json("/datasets/taken/versions").get("versions").size()).isEqualTo(1);
    delete("/datasets/taken");
    assertThat(send(taken, data).statusCode()).isEqualTo(201);
  }

  private String hint(HttpResponse<byte[]> response) {
    assertThat(response.statusCode()).as(text(response)).isGreaterThanOrEqualTo(400);
    return json(response).get("hint").asString();
  }

  /// Each client does what its hint says, and succeeds.
  @Test
  void formsForTakenNamesLeadToOtherNamesAndToTheDataset() throws Exception {
    byte[] metadata = metadata("{\"name\": \"taken-form\"}");
    byte[] csv = bytes("a,b\n1,2\n");
    String other = "Choose another name, or send the file itself to /datasets/taken-form%s, by PUT";
    assertThat(send(metadata, data(Streams.numbers(0, 1))).statusCode()).isEqualTo(201);
    byte[] named = part("file\"; filename=\"x.csv", "text/plain", csv);
    assertThat(hint(send(metadata, named))).startsWith(other.formatted(".csv"));
    assertThat(hint(send(metadata, data(csv))))
        .startsWith(other.formatted(" with the suffix of its format"));
    byte[] stream = Streams.numbers(0, 3);
    byte[] arrow = part("data", "application/vnd.apache.arrow.stream", stream);
    assertThat(hint(send(arrow, metadata))).startsWith(other.formatted(""));
    assertThat(post("/datasets/taken-form", stream).statusCode()).isEqualTo(200);
    assertThat(put("/datasets/taken-form.csv", csv).statusCode()).isEqualTo(200);
    assertThat(post("/datasets/taken-form.csv", csv).statusCode()).isEqualTo(200);
    assertThat(send(metadata("{\"name\": \"free-form\"}"), named).statusCode()).isEqualTo(201);
  }

  @Test
  void textInAFormLeadsToAFileName() throws Exception {
    byte[] text = bytes("one\ntwo\n");
    assertThat(hint(send(data(text))))
        .isEqualTo("Give the file in the form a name that ends with .csv, if that is its format.");
    assertThat(send(part("file\"; filename=\"x.csv", "text/plain", text)).statusCode())
        .isEqualTo(201);
    byte[] object = bytes("{\"a\": 1}");
    assertThat(hint(send(data(object)))).contains("a name that ends with .json");
    assertThat(send(part("file\"; filename=\"x.json", "text/plain", object)).statusCode())
        .isEqualTo(201);
  }

  /// As `curl -F` does with the path of a dataset.
  @ParameterizedTest
  @ValueSource(strings = {"/datasets/formless", "/datasets/formless.csv", "/convert"})
  void formsForOtherPathsLeadToTheFileItself(String path) throws Exception {
    byte[] csv = bytes("a,b\n1,2\n");
    byte[] body = form(part("file\"; filename=\"x.csv", "text/csv", csv));
    assertThat(hint(post(path, body, "Content-Type", TYPE)))
        .isEqualTo("Send the file itself in place of a form, as curl does by --data-binary @FILE.");
    assertThat(post(path, csv).statusCode()).isIn(200, 201);
  }

  @Test
  void rejectsMissingUnknownAndRepeatedParts() throws Exception {
    byte[] data = data(Streams.numbers(0, 1));
    byte[] name = metadata("{\"name\": \"rejected\"}");
    byte[] other = part("other", "text/plain", bytes("x"));
    String noData = "Expected a file or a part named data but found ";
    assertRejected(400, "bad-request", noData + "the end at the form");
    assertRejected(400, "bad-request", noData + "the end at the form", name);
    assertRejected(
        400, "bad-request", noData + "a part named metadata at the form", name, name, data);
    assertRejected(400, "bad-request", noData + "a part named other at the form", other, data);
    String more =
        "Expected one file or part named data and at most one part named metadata but found a part"
            + " named ";
    assertRejected(400, "bad-request", more + "other at the form", name, data, other);
    assertRejected(400, "bad-request", more + "data at the form", name, data, data);
    assertRejected(400, "bad-request", more + "data at the form", data, data);
    assertRejected(400, "bad-request", more + "metadata at the form", data, name, name);
  }

  /// The filename is that of another machine, so it names nothing here.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "file\"; filename=\"rejected.arrow",
        "upload\"; filename=\"",
        "x\"; filename*=\"UTF-8''rejected.arrow",
        "data\"; filename=\"metadata",
      })
  void fileMayHaveAnyName(String disposition) throws Exception {
    byte[] stream = Streams.numbers(0, 10);
    byte[] file = part(disposition, "application/octet-stream", stream);
    HttpResponse<byte[]> created = send(file);
    assertThat(created.statusCode()).isEqualTo(201);
    assertThat(json(created).get("name").asString()).startsWith("ds-");
    assertThat(get(header(created, "Location") + ".arrows").body()).isEqualTo(stream);
    byte[] named = metadata("{\"name\": \"file%d\"}".formatted(disposition.length()));
    for (HttpResponse<byte[]> response : List.of(send(named, file), send(file, metadata("{}")))) {
      assertThat(response.statusCode()).isEqualTo(201);
    }
    assertThat(get("/datasets/file" + disposition.length()).statusCode()).isEqualTo(200);
    assertRejected(
        400,
        "bad-request",
        "Expected one file or part named data and at most one part named metadata but found a part"
            + " named data at the form",
        file,
        data(stream));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[] | a JSON object but found other JSON at part metadata",
        "`` | a JSON object but found other JSON at part metadata",
        "{\"title\": \"x\"} | name, batches, codec or expires but found title at part metadata",
        "{\"name\": 7} | text but found other JSON at member name of part metadata",
        "{\"name\": null} | text but found other JSON at member name of part metadata",
        "{\"codec\": \"br\"} | none, lz4 or zstd but found \"br\" at member codec of part metadata",
        "{\"batches\": \"all\"} | keep but found \"all\" at member batches of part metadata",
      })
  void rejectsInvalidMetadata(String json, String detail) throws Exception {
    byte[] data = data(Streams.numbers(0, 1));
    assertRejected(400, "bad-request", "Expected " + detail, metadata(json), data);
    assertRejected(400, "bad-request", "Expected " + detail, data, metadata(json));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"{\"name\": ", "{\"name\": \"a\", \"name\": \"b\"}", "{} {}", "name=rejected"})
  void rejectsMetadataThatIsNotJson(String json) throws Exception {
    assertRejected(
        400,
        "bad-request",
        "Expected a JSON object but found other text at part metadata",
        metadata(json),
        data(Streams.numbers(0, 1)));
  }

  @Test
  void rejectsAnInvalidDatasetName() throws Exception {
    HttpResponse<byte[]> response =
        send(metadata("{\"name\": \"a.csv\"}"), data(Streams.numbers(0, 1)));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:bad-request");
  }

  @Test
  void errorsTruncateLongText() throws Exception {
    String longText = "x".repeat(1500);
    byte[] data = data(Streams.numbers(0, 1));
    for (byte[] part :
        List.of(
            part(longText, "text/plain", new byte[0]),
            part(
                "metadata\"\r\nContent-Transfer-Encoding: \"" + longText,
                "text/plain",
                new byte[0]),
            metadata("{\"" + longText + "\": 1}"),
            metadata("{\"name\": \"" + longText + "\"}"),
            metadata("{\"codec\": \"" + longText + "\"}"),
            metadata(longText))) {
      HttpResponse<byte[]> response = send(part, data);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(json(response).get("detail").asString().length()).isBetween(50, 500);
    }
  }

  @Test
  void rejectsDataOfOtherTypes() throws Exception {
    assertRejected(
        415,
        "unsupported-media-type",
        "Expected application/vnd.apache.arrow.stream, application/vnd.apache.arrow.file,"
            + " application/octet-stream, text/csv, text/tab-separated-values, application/json,"
            + " application/x-ndjson, application/vnd.openxmlformats-officedocument.spreadsheetml.sheet, application/vnd.apache.parquet but found image/png at header"
            + " Content-Type",
        part("data", "image/png", bytes("a,b")));
    assertRejected(
        415,
        "unsupported-media-type",
        "Expected an Arrow IPC stream or file but found a Feather V1 file at byte offset 0",
        metadata("{\"name\": \"rejected\"}"),
        data(bytes("FEA1 and more than sixteen bytes")));
    assertRejected(
        400,
        "truncated",
        "Expected an Arrow IPC stream or file but found no data at byte offset 0",
        data(new byte[0]));
  }

  /// The data is complete and valid, but all or part of the last boundary is missing.
  @Test
  void truncatedFormStoresNothing() throws Exception {
    byte[] data = data(Streams.numbers(0, 1000));
    byte[] name = metadata("{\"name\": \"rejected\"}");
    for (byte[] form : List.of(form(name, data), form(data, name), form(data))) {
      for (int missing : new int[] {3, 10, 33}) {
        byte[] truncated = Arrays.copyOf(form, form.length - missing);
        String expected =
            missing == 3 ? "-- after the last boundary" : "--------------------------4f";
        assertBodyRejected(
            400,
            "truncated",
            "Expected "
                + expected
                + " but found the end of the form at byte offset "
                + truncated.length,
            truncated);
      }
    }
  }

  @Test
  void truncatedDataInACompleteFormStoresNothing() throws Exception {
    byte[] stream = Streams.numbers(0, 1000);
    byte[] truncated = Arrays.copyOf(stream, stream.length - 500);
    for (byte[] body :
        List.of(
            form(metadata("{\"name\": \"rejected\"}"), data(truncated)), form(data(truncated)))) {
      List<Path> before = files();
      HttpResponse<byte[]> response = post("/datasets", body, "Content-Type", TYPE);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(json(response).get("type").asString()).isEqualTo("urn:quiver:problem:truncated");
      assertThat(files()).isEqualTo(before);
    }
  }

  @Test
  void limitsTheSizeOfMetadataAndOfTheWholeForm() throws Exception {
    byte[] large = data(Streams.numbers(0, 100_000));
    assertThat(send(large).statusCode()).isEqualTo(201);
    byte[] metadata = metadata("{}" + " ".repeat(3000));
    assertThat(send(metadata, large).statusCode()).isEqualTo(201);
    byte[] longMetadata = metadata("{}" + " ".repeat(5000));
    for (byte[] body : List.of(form(longMetadata, large), form(large, longMetadata))) {
      HttpResponse<byte[]> response = post("/datasets", body, "Content-Type", TYPE);
      assertThat(response.statusCode()).isEqualTo(413);
      assertThat(json(response).at("/limit/key").asString())
          .isEqualTo("quiver.limits.form-metadata-bytes");
    }
    byte[] over = data(Streams.numbers(0, 300_000));
    for (byte[] body : List.of(form(metadata, over), form(over))) {
      List<Path> before = files();
      assertThat(chunked(body))
          .startsWith("HTTP/1.1 413 ")
          .contains("\"key\":\"quiver.limits.request-bytes\"");
      assertThat(files()).isEqualTo(before);
    }
  }

  private String chunked(byte[] body) throws Exception {
    try (RawHttp connection = new RawHttp(port)) {
      connection.send(
          "POST /datasets HTTP/1.1\nHost: localhost\nConnection: close\nContent-Type: "
              + TYPE
              + "\nTransfer-Encoding: chunked\n\n");
      connection.sendExactly(
          Integer.toHexString(body.length)
              + "\r\n"
              + new String(body, StandardCharsets.ISO_8859_1)
              + "\r\n0\r\n\r\n");
      return connection.readToEnd();
    }
  }

  @Test
  void acceptsAFormWithoutALength() throws Exception {
    assertThat(chunked(form(data(Streams.numbers(0, 100))))).startsWith("HTTP/1.1 201 ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "multipart/form-data | none",
        "multipart/form-data; charset=utf-8 | none",
        "multipart/form-data; boundary=\"x | none",
        "multipart/form-data; boundary=x; boundary=y | none",
        "multipart/form-data; boundary=\"a b \" | \"a b \"",
      })
  void rejectsAMissingOrInvalidBoundary(String type, String found) throws Exception {
    HttpResponse<byte[]> response =
        post("/datasets", form(data(Streams.numbers(0, 1))), "Content-Type", type);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected a boundary of 1 to 70 characters but found "
                + found
                + " at header Content-Type");
  }

  @Test
  void acceptsFormsOnlyForNewDatasets() throws Exception {
    byte[] body = form(data(Streams.numbers(0, 1)));
    assertThat(put("/datasets/rejected", body, "Content-Type", TYPE).statusCode()).isEqualTo(415);
    assertThat(post("/inspect", body, "Content-Type", TYPE).statusCode()).isEqualTo(415);
  }
}
