package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayInputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// New names for columns of an upload, in every format.
class RenameTest extends RunningService {

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void assertStored(String name, String csv) throws Exception {
    assertThat(text(get("/datasets/" + name + ".csv"))).isEqualTo(csv.replace("\n", "\r\n"));
  }

  @Test
  void typesNameColumnsBeforeTheyAreRenamed() throws Exception {
    HttpResponse<byte[]> response =
        put(
            "/datasets/renamed.csv?rename=a:b,b:a&csv.types=a:varchar&verbose=true",
            utf8("a,b\n1,2\n"));
    assertThat(response.statusCode()).as(text(response)).isEqualTo(201);
    assertThat(json(response).get("columns").toString())
        .isEqualTo("[{\"name\":\"b\",\"type\":\"utf8\"},{\"name\":\"a\",\"type\":\"int64\"}]");
    assertStored("renamed", "b,a\n1,2\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"arrows", "arrow", "parquet", "json", "jsonl", "tsv", "xlsx"})
  void formatsAreRenamedAlike(String format) throws Exception {
    put("/datasets/rename-source.csv", utf8("a,b\nx,1\ny,2\n"));
    byte[] file = get("/datasets/rename-source." + format).body();
    String path = "/datasets/renamed-" + format;
    HttpResponse<byte[]> created = put(path + "." + format + "?rename=a:%22n:1%22", file);
    assertThat(created.statusCode()).as(text(created)).isEqualTo(201);
    assertStored("renamed-" + format, "n:1,b\nx,1\ny,2\n");
    HttpResponse<byte[]> appended = post(path + "." + format + "?rename=a:%22n:1%22", file);
    assertThat(appended.statusCode()).as(text(appended)).isEqualTo(200);
    assertStored("renamed-" + format, "n:1,b\nx,1\ny,2\nx,1\ny,2\n");
    HttpResponse<byte[]> unknown = put(path + "." + format + "?rename=z:y", file);
    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(json(unknown).get("detail").asString())
        .isEqualTo(
            "Expected the name of a column, such as \"a\", but found \"z\" at parameter rename");
    HttpResponse<byte[]> converted =
        post("/convert?rename=a:c", file, "Content-Type", mediaType(format), "Accept", "text/csv");
    assertThat(text(converted)).isEqualTo("c,b\r\nx,1\r\ny,2\r\n");
  }

  private String mediaType(String format) throws Exception {
    return header(get("/datasets/rename-source." + format), "Content-Type");
  }

  /// Arrow Java reads what is stored: a file that would be stored as it is, with dictionaries.
  @Tag("arrow-java")
  @ParameterizedTest
  @ValueSource(strings = {"arrow", "arrows"})
  void renamedArrowDataIsCanonical(String format) throws Exception {
    put("/datasets/rename-table", Streams.table(Codec.ZSTD, 3, 2));
    byte[] file = get("/datasets/rename-table." + format).body();
    String first = json("/datasets/rename-table/schema").at("/fields/0/name").asString();
    put("/datasets/rename-stored?batches=keep&rename=" + first + ":other", file);
    try (BufferAllocator allocator = new RootAllocator();
        ArrowStreamReader before = reader(get("/datasets/rename-table.arrows").body(), allocator);
        ArrowStreamReader after = reader(get("/datasets/rename-stored.arrows").body(), allocator)) {
      VectorSchemaRoot expected = before.getVectorSchemaRoot();
      VectorSchemaRoot found = after.getVectorSchemaRoot();
      assertThat(found.getVector(0).getName()).isEqualTo("other");
      int rows = 0;
      while (before.loadNextBatch()) {
        assertThat(after.loadNextBatch()).isTrue();
        rows += found.getRowCount();
        for (int i = 0; i < expected.getFieldVectors().size(); i++) {
          for (int row = 0; row < expected.getRowCount(); row++) {
            assertThat(found.getVector(i).getObject(row))
                .isEqualTo(expected.getVector(i).getObject(row));
          }
        }
      }
      assertThat(rows).isEqualTo(5);
      assertThat(after.loadNextBatch()).isFalse();
    }
    HttpResponse<byte[]> verified = post("/datasets/rename-stored/verify", new byte[0]);
    assertThat(json(verified).get("damaged").size()).isZero();
  }

  private static ArrowStreamReader reader(byte[] stream, BufferAllocator allocator) {
    return new ArrowStreamReader(new ByteArrayInputStream(stream), allocator);
  }

  @Test
  void lastNamesAreTriedFirst() throws Exception {
    String path = "/datasets/rename-last.csv";
    put(path + "?rename=Tag:day,Betrag:amount", utf8("Tag;Betrag\n2024-01-31;1,5\n"));
    JsonNode appended = json(post(path, utf8("Betrag;Tag\n2,5;2024-02-29\n")));
    assertThat(appended.at("/found/lastUpload/rename").toString())
        .isEqualTo("[\"Tag:day\",\"Betrag:amount\"]");
    JsonNode again = json(post(path, utf8("Tag;Betrag\n2024-03-31;3,5\n")));
    assertThat(again.get("rows").intValue()).isEqualTo(3);
    assertStored("rename-last", "day,amount\n2024-01-31,1.5\n2024-02-29,2.5\n2024-03-31,3.5\n");
    // A file with the names of the dataset is read as it is, and other names are told.
    JsonNode own = json(post(path, utf8("day,amount\n2024-04-30,4.5\n")));
    assertThat(own.get("rows").intValue()).isEqualTo(4);
    assertThat(post(path, utf8("Tag;amount\n2024-04-30;4,5\n")).statusCode()).isEqualTo(409);
  }

  @Test
  void lastNamesNeedNotAllBeThere() throws Exception {
    String path = "/datasets/rename-part.csv";
    put(path + "?rename=Tag:day,Betrag:amount", utf8("Tag;Betrag\n2024-01-31;1,5\n"));
    HttpResponse<byte[]> appended = post(path, utf8("Betrag\n2,5\n"));
    assertThat(appended.statusCode()).as(text(appended)).isEqualTo(200);
    // The names of the first file are kept.
    post(path, utf8("Tag;Betrag\n2024-03-31;3,5\n"));
    assertStored("rename-part", "day,amount\n2024-01-31,1.5\n,2.5\n2024-03-31,3.5\n");
    assertThat(post(path, utf8("Tag;Tag\n2024-03-31;2024-03-31\n")).statusCode()).isEqualTo(409);
  }

  /// Text that the service writes comes back, even if the last names are names of the dataset.
  @Test
  void namesOfTheDatasetStayWhereTheyAre() throws Exception {
    String path = "/datasets/rename-swap.csv";
    put(path + "?rename=a:b,b:a", utf8("a,b\n1,2\n"));
    JsonNode own = json(post(path, get(path).body()));
    assertStored("rename-swap", "b,a\n1,2\n1,2\n");
    assertThat(own.get("warnings").toString())
        .isEqualTo(
            "[\"The names are those of the dataset; the parameter rename=a:b,b:a gives columns the"
                + " names of the last upload\"]");
    assertThat(own.get("options").get(0).get("value").asString()).isEqualTo("a:b,b:a");
    post(path + "?rename=a:b,b:a", utf8("a,b\n3,4\n"));
    assertStored("rename-swap", "b,a\n1,2\n1,2\n3,4\n");
  }

  @Test
  void namesStayDistinct() throws Exception {
    HttpResponse<byte[]> taken = put("/datasets/rename-taken.csv?rename=a:b", utf8("a,b\n1,2\n"));
    assertThat(taken.statusCode()).isEqualTo(400);
    assertThat(json(taken).get("detail").asString())
        .isEqualTo(
            "Expected a new name that no other column has but found \"b\" at parameter rename");
    HttpResponse<byte[]> twice = put("/datasets/rename-taken.csv?rename=a:c", utf8("a,a\n1,2\n"));
    assertThat(twice.statusCode()).isEqualTo(400);
    // A long name is not compared with others.
    byte[] wide = utf8("x".repeat(1_000_000) + ",b\n1,2\n");
    HttpResponse<byte[]> unknown =
        put("/datasets/rename-taken.csv?rename=" + "y".repeat(3_000) + ":z", wide);
    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(get("/datasets/rename-taken").statusCode()).isEqualTo(404);
  }

  @Test
  void appendedColumnsThatAreRenamedAwayAreNull() throws Exception {
    String path = "/datasets/rename-away.json";
    put(path, utf8("[{\"a\":1,\"b\":2}]"));
    HttpResponse<byte[]> appended = post(path + "?rename=a:b", utf8("[{\"a\":3}]"));
    assertThat(appended.statusCode()).as(text(appended)).isEqualTo(200);
    assertStored("rename-away", "a,b\n1,2\n,3\n");
  }

  @Test
  void newColumnsMayBeRenamed() throws Exception {
    Schema schema = Schema.of(Field.of("a", true, new ArrowType.Int(64, true)));
    put("/datasets/rename-extend", Streams.of(schema, List.of(1L)));
    post("/datasets/rename-extend?columns=extend&rename=a:c", Streams.of(schema, List.of(2L)));
    assertStored("rename-extend", "a,c\n1,\n,2\n");
  }

  @Test
  void formsAreRenamed() throws Exception {
    String form =
        "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f.csv\"\r\n\r\na\n1\n\r\n--x--\r\n";
    HttpResponse<byte[]> response =
        post("/datasets?rename=a:z", utf8(form), "Content-Type", "multipart/form-data; boundary=x");
    assertThat(response.statusCode()).as(text(response)).isEqualTo(201);
    assertStored(json(response).get("name").asString(), "z\n1\n");
  }

  @Test
  void statementsNameTheirColumnsThemselves() throws Exception {
    HttpResponse<byte[]> response =
        put(
            "/datasets/rename-statement?rename=a:b",
            utf8("SELECT 1 AS a"),
            "Content-Type",
            "application/sql");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo("Expected a file of another format but found a statement at parameter rename");
    assertThat(put("/datasets/rename-statement.csv?rename=a", utf8("a\n1\n")).statusCode())
        .isEqualTo(400);
  }
}
