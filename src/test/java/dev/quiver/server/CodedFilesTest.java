package dev.quiver.server;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files with a coding around them: gzip, Zstandard, and ZIP archives with one file.
class CodedFilesTest extends RunningService {

  private static final byte[] TABLE = utf8("a;b\n1,5;x\n2,5;y\n");
  private static final String ROWS = "a,b\n1.5,x\n2.5,y\n";

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(coded)) {
      gzip.write(content);
    }
    return coded.toByteArray();
  }

  private static byte[] zip(Map<String, byte[]> files) throws IOException {
    ByteArrayOutputStream coded = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(coded)) {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        zip.putNextEntry(new ZipEntry(file.getKey()));
        zip.write(file.getValue());
      }
    }
    return coded.toByteArray();
  }

  private static Map<String, byte[]> files(String... names) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    for (String name : names) {
      files.put(name, name.endsWith(".csv") ? TABLE : new byte[] {});
    }
    return files;
  }

  private static byte[] coded(String coding) throws IOException {
    return switch (coding) {
      case "gz" -> gzip(TABLE);
      case "zst" -> Zstd.compress(TABLE);
      default -> zip(files("__MACOSX/._x.csv", "folder/", "folder/x.csv", ".DS_Store"));
    };
  }

  private void assertRows(String name) throws Exception {
    assertThat(text(get("/datasets/" + name + ".csv")).replace("\r\n", "\n")).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst", "zip"})
  void areReadByName(String coding) throws Exception {
    HttpResponse<byte[]> stored =
        put("/datasets/named." + coding + ".csv." + coding, coded(coding));
    assertThat(stored.statusCode()).as(text(stored)).isEqualTo(400);
    stored = put("/datasets/by-name-" + coding + ".CSV." + coding, coded(coding));
    assertThat(stored.statusCode()).as(text(stored)).isEqualTo(201);
    assertThat(header(stored, "Location")).isEqualTo("/datasets/by-name-" + coding);
    assertRows("by-name-" + coding);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst", "zip"})
  void areReadByTheirBytes(String coding) throws Exception {
    String[] csv = {"Content-Type", "text/csv"};
    assertThat(put("/datasets/by-bytes", coded(coding), csv).statusCode()).isIn(200, 201);
    assertRows("by-bytes");
    assertThat(put("/datasets/by-bytes.csv", coded(coding)).statusCode()).isEqualTo(200);
    assertRows("by-bytes");
    String[] async = {"Content-Type", "text/csv", "Prefer", "respond-async"};
    String job = header(put("/datasets/by-job-" + coding, coded(coding), async), "Location");
    eventually(() -> assertThat(json(job).get("state").asString()).isEqualTo("done"));
    assertRows("by-job-" + coding);
    HttpResponse<byte[]> converted =
        post("/convert", coded(coding), "Content-Type", "text/csv", "Accept", "text/csv");
    assertThat(text(converted).replace("\r\n", "\n")).isEqualTo(ROWS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst", "zip"})
  void areReadFromFormsAndInParts(String coding) throws Exception {
    ByteArrayOutputStream form = new ByteArrayOutputStream();
    form.write(
        utf8(
            """
            --b\r
            Content-Disposition: form-data; name="file"; filename="x.csv.%s"\r
            Content-Type: application/octet-stream\r
            \r
            """
                .formatted(coding)));
    form.write(coded(coding));
    form.write(
        utf8(
            """
            \r
            --b\r
            Content-Disposition: form-data; name="metadata"\r
            \r
            {"name": "coded-form-%s"}\r
            --b--\r
            """
                .formatted(coding)));
    HttpResponse<byte[]> stored =
        post("/datasets", form.toByteArray(), "Content-Type", "multipart/form-data; boundary=b");
    assertThat(stored.statusCode()).as(text(stored)).isEqualTo(201);
    assertRows("coded-form-" + coding);

    byte[] file = coded(coding);
    HttpResponse<byte[]> begun =
        put(
            "/datasets/coded-parts-" + coding + ".csv." + coding,
            Arrays.copyOf(file, 20),
            "Upload-Complete",
            "?0");
    assertThat(begun.statusCode()).as(text(begun)).isEqualTo(201);
    HttpResponse<byte[]> ended =
        send(
            "PATCH",
            header(begun, "Location"),
            BodyPublishers.ofByteArray(file, 20, file.length - 20),
            "Upload-Offset",
            "20",
            "Upload-Complete",
            "?1",
            "Content-Type",
            "application/partial-upload");
    assertThat(ended.statusCode()).as(text(ended)).isEqualTo(201);
    assertRows("coded-parts-" + coding);
  }

  /// The name within an archive tells the format, and bytes that of other codings.
  @Test
  void anArchiveTellsTheFormat() throws Exception {
    HttpResponse<byte[]> stored = put("/datasets/coded-sales.zip", zip(files("2024/x.csv")));
    assertThat(stored.statusCode()).as(text(stored)).isEqualTo(201);
    assertRows("coded-sales");
    byte[] json = gzip(utf8("[{\"a\":1.5,\"b\":\"x\"},{\"a\":2.5,\"b\":\"y\"}]"));
    assertThat(put("/datasets/coded-unnamed.gz", json).statusCode()).isEqualTo(201);
    assertRows("coded-unnamed");
    byte[] arrow = get("/datasets/coded-sales.arrows").body();
    assertThat(put("/datasets/coded-arrow", gzip(arrow)).statusCode()).isEqualTo(201);
    assertRows("coded-arrow");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.csv,b.csv | Expected a ZIP archive with one file but found a.csv and b.csv",
        "folder/ | Expected a file in the ZIP archive but found none"
      })
  void otherArchivesAreRejected(String names, String detail) throws Exception {
    byte[] archive = zip(files(names.split(",")));
    for (String path : new String[] {"/datasets/coded-other.csv", "/datasets/coded-other.zip"}) {
      HttpResponse<byte[]> rejected = put(path, archive);
      assertThat(rejected.statusCode()).as(text(rejected)).isEqualTo(422);
      assertThat(json(rejected).get("detail").asString()).isEqualTo(detail);
    }
    assertThat(get("/datasets/coded-other").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[Content_Types].xml,word/document.xml | another document or archive",
        "mimetype,content.xml | an OpenDocument file",
        "_rels/.rels,xl/workbook.bin | one that cannot be read: _rels/.rels is not well-formed XML at line 1, column 1",
        "docProps/app.xml,xl/workbook.xml | another document or archive"
      })
  void otherDocumentsAreRejected(String names, String found) throws Exception {
    byte[] archive = zip(files(names.split(",")));
    HttpResponse<byte[]> text = put("/datasets/coded-document.csv", archive);
    assertThat(text.statusCode()).as(text(text)).isEqualTo(422);
    assertThat(json(text).get("detail").asString())
        .isEqualTo(
            "Expected text in columns but found an Excel workbook or another document of Office");
    for (String path : new String[] {"/datasets/coded-document.xlsx", "/datasets/coded-document"}) {
      HttpResponse<byte[]> rejected = put(path, archive);
      assertThat(rejected.statusCode()).as(text(rejected)).isEqualTo(422);
      assertThat(json(rejected).get("detail").asString())
          .isEqualTo("Expected an Excel workbook (.xlsx) but found " + found);
    }
  }

  /// Behind any suffix, and in an archive.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "53514C69746520666F726D6174203300 | a SQLite database",
        "0102030405060708 4455434B 40000000 | a DuckDB database",
        "D0CF11E0A1B11AE1 | an old Excel workbook, one with a password, or another document of Office",
        "4F626A0104000000 | an Avro file",
        "4F52430A00 | an ORC file",
        "FD377A585A0000 | xz data",
        "3C21444F43545950452068746D6C3E | HTML",
        "76657273696F6E2068747470733A2F2F6769742D6C6673 | a Git LFS pointer"
      })
  void otherFormatsAreNamed(String hexadecimal, String found) throws Exception {
    byte[] bytes = HexFormat.of().parseHex(hexadecimal.replace(" ", ""));
    for (byte[] body : new byte[][] {bytes, gzip(bytes), zip(Map.of("x.csv", bytes))}) {
      for (String suffix : new String[] {".csv", ".json"}) {
        HttpResponse<byte[]> rejected = put("/datasets/coded-other" + suffix, body);
        assertThat(rejected.statusCode()).as(text(rejected)).isEqualTo(422);
        assertThat(json(rejected).get("detail").asString()).endsWith(" but found " + found);
        assertThat(json(rejected).get("hint").asString()).isNotEmpty();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"a\":1}\n{\"a\":2}\n", "[{\"a\":1}]", "\n [{}]"})
  void jsonIsNotTextInColumns(String json) throws Exception {
    HttpResponse<byte[]> rejected = put("/datasets/coded-other.csv", utf8(json));
    assertThat(rejected.statusCode()).as(text(rejected)).isEqualTo(422);
    assertThat(json(rejected).get("detail").asString())
        .isEqualTo("Expected text in columns but found JSON");
    assertThat(put("/datasets/braces.csv", utf8("{a},[b]\n1,2\n")).statusCode()).isIn(200, 201);
  }

  /// Letters of other formats may begin the name of a column.
  @Test
  void namesOfColumnsAreNoOtherFormat() throws Exception {
    assertThat(put("/datasets/orcid.csv", utf8("ORCID,BZh\n1,2\n")).statusCode()).isEqualTo(201);
    assertThat(put("/datasets/feather.csv", utf8("FEA1,x\n1,2\n")).statusCode()).isEqualTo(201);
  }

  @Test
  void damagedFilesAreRejected() throws Exception {
    byte[] gzip = coded("gz");
    gzip[gzip.length - 1] ^= 1;
    byte[] archive = coded("zip");
    for (byte[] damaged : new byte[][] {gzip, Arrays.copyOf(archive, 260)}) {
      HttpResponse<byte[]> rejected = put("/datasets/coded-damaged.csv", damaged);
      assertThat(rejected.statusCode()).as(text(rejected)).isIn(400, 422);
    }
    HttpResponse<byte[]> absent = get("/datasets/coded-damaged");
    assertThat(absent.statusCode()).as(text(absent)).isEqualTo(404);
  }
}
