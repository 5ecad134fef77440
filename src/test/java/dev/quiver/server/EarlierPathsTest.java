package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.server.access.Route;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.server.PathContainer;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// Datasets that were stored before the suffixes of their names were reserved.
@TestPropertySource(
    properties = {
      "quiver.storage.path=${test.folder}/earlier-names",
      "quiver.audit.path=${test.folder}/earlier-names.jsonl"
    })
class EarlierPathsTest extends RunningService {

  private static final Path STORE = FOLDER.resolve("earlier-names");

  private static final List<String> NAMES =
      List.of(
          "list.tsv",
          "sales.xlsx",
          "old.zip",
          "log.TAB",
          "gone.tsv",
          "freed.tsv",
          "both.tsv.gz",
          "read.tsv",
          "written.tsv",
          "kept.tsv");

  @Autowired private Datasets datasets;

  static {
    try (Datasets earlier = new Datasets(FolderBlobStore.open(STORE), DatasetOptions.DEFAULT)) {
      for (String name : NAMES) {
        write(earlier, name, 3);
      }
      write(earlier, "list", 5);
      earlier.delete(new DatasetName("gone.tsv"), new WriteCondition.None());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Datasets datasets, String name, int rows) throws IOException {
    datasets.put(
        new DatasetName(name),
        ByteSource.of(MemorySegment.ofArray(Streams.numbers(0, rows))),
        BodyFormat.STREAM,
        new WriteCondition.None());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private long rows(String path) throws Exception {
    HttpResponse<byte[]> response = get(path, "Accept", "application/json");
    assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
    return json(response).size();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "list.tsv",
        "list.tsv.json",
        "list.tsv@1",
        "list.tsv@1.json",
        "sales.xlsx",
        "old.zip",
        "log.TAB",
        "both.tsv.gz"
      })
  void pathsOfTheNameMeanTheDataset(String segment) throws Exception {
    assertThat(rows("/datasets/" + segment)).isEqualTo(3);
    assertThat(head("/datasets/" + segment).statusCode()).isEqualTo(200);
  }

  @Test
  void otherPathsMeanWhatTheyDid() throws Exception {
    assertThat(rows("/datasets/list.json")).isEqualTo(5);
    assertThat(text(get("/datasets/list@1.tsv")).lines()).hasSize(6);
    assertThat(text(get("/datasets/list.tab")).lines()).hasSize(6);
    // A deleted dataset has no claim to its path, and no dataset `gone` exists.
    assertThat(json(get("/datasets/gone.tsv")).get("detail").asString()).endsWith(" at gone");
    assertThat(get("/datasets/other.tsv").statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "schema",
        "batches",
        "versions",
        "layout",
        "statistics",
        "batches/0",
        "partitions"
      })
  void resourcesOfTheDatasetAreServed(String resource) throws Exception {
    HttpResponse<byte[]> response = get("/datasets/sales.xlsx/" + resource);
    assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
  }

  @Test
  void queryParametersAreThoseOfTheDataset() throws Exception {
    assertThat(get("/datasets/sales.xlsx?limit=1&since=1").statusCode()).isEqualTo(200);
    assertThat(get("/datasets/list.tsv?nonsense=1").statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, sales.xlsx, sales.xlsx",
    "HEAD, sales.xlsx@1, sales.xlsx@1",
    "DELETE, sales.xlsx, sales.xlsx",
    "PUT, sales.xlsx.arrow, sales.xlsx",
    "POST, sales.xlsx/compact, sales.xlsx",
    "GET, trips.xlsx, trips",
    "PUT, trips.xlsx, trips"
  })
  void permissionsAreThoseOfTheDataset(String method, String segment, String dataset) {
    PathContainer path = PathContainer.parsePath("/datasets/" + segment);
    assertThat(Route.find(method, path, datasets.listing().earlierNames().all()).dataset())
        .hasToString(dataset);
  }

  @Test
  void listsAndPagesOfListsHaveTheNames() throws Exception {
    JsonNode first = json("/datasets?prefix=list&limit=1");
    assertThat(first.get("datasets").get(0).get("name").asString()).isEqualTo("list.tsv");
    JsonNode next = json(first.get("next").asString());
    assertThat(next.get("datasets").get(0).get("name").asString()).isEqualTo("list");
    HttpResponse<byte[]> page = get("/datasets/sales.xlsx", "Accept", "text/html");
    assertThat(text(page)).contains("/datasets/sales.xlsx@1.arrow");
  }

  @Test
  void statementsNameThem() throws Exception {
    HttpResponse<byte[]> result =
        post("/sql.json", utf8("SELECT count(*) AS n FROM \"sales.xlsx\""));
    assertThat(text(result)).isEqualToIgnoringWhitespace("[{\"n\":3}]");
    HttpResponse<byte[]> stored =
        put(
            "/datasets/computed",
            utf8("SELECT * FROM \"sales.xlsx\""),
            "Content-Type",
            "application/sql");
    assertThat(stored.statusCode()).as(text(stored)).isEqualTo(201);
    // The lineage names the dataset.
    assertThat(rows("/datasets/computed")).isEqualTo(3);
    assertThat(text(get("/datasets/computed/versions"))).contains("sales.xlsx@1");
  }

  @Test
  void writesReplaceAndExtendTheDataset() throws Exception {
    String path = "/datasets/kept.tsv";
    assertThat(put(path, Streams.numbers(0, 2)).statusCode()).isEqualTo(200);
    assertThat(post(path, Streams.numbers(0, 2)).statusCode()).isEqualTo(200);
    assertThat(rows(path)).isEqualTo(4);
    assertThat(post(path + "/compact", new byte[0]).statusCode()).isEqualTo(200);
    assertThat(put(path, Streams.numbers(0, 2), "If-None-Match", "*").statusCode()).isEqualTo(412);
    assertThat(get("/datasets/kept").statusCode()).isEqualTo(404);
  }

  @Test
  void aDeleteFreesThePath() throws Exception {
    assertThat(delete("/datasets/freed.tsv").statusCode()).isEqualTo(204);
    assertThat(Files.readString(FOLDER.resolve("earlier-names.jsonl")))
        .contains("\"action\":\"delete\",\"dataset\":\"freed.tsv\"");
    assertThat(get("/datasets/freed.tsv").statusCode()).isEqualTo(404);
    assertThat(put("/datasets/freed.tsv", utf8("a\tb\n1\t2\n")).statusCode()).isEqualTo(201);
    assertThat(rows("/datasets/freed")).isEqualTo(1);
    assertThat(text(get("/datasets/freed.tsv"))).isEqualTo("a\tb\n1\t2\n");
  }

  /// Other processes tell nothing of what they delete.
  @Test
  void aDeleteByAnotherProcessFreesThePath() throws Exception {
    try (Datasets other = new Datasets(FolderBlobStore.open(STORE), DatasetOptions.DEFAULT)) {
      for (String name : List.of("read.tsv", "written.tsv")) {
        other.delete(new DatasetName(name), new WriteCondition.None());
      }
    }
    assertThat(get("/datasets/read.tsv").statusCode()).isEqualTo(410);
    assertThat(json(get("/datasets/read.tsv")).get("detail").asString()).endsWith(" at read");
    HttpResponse<byte[]> written = put("/datasets/written.tsv", utf8("a\tb\n1\t2\n"));
    assertThat(json(written).get("detail").asString())
        .startsWith(
            "Expected a name without the suffix of a representation but found \"written.tsv");
    assertThat(written.statusCode()).isEqualTo(400);
    assertThat(put("/datasets/written.tsv", utf8("a\tb\n1\t2\n")).statusCode()).isEqualTo(201);
    assertThat(rows("/datasets/written")).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"PUT, new.tsv.arrow", "POST, new.xlsx.csv", "PUT, gone.tsv.arrow"})
  void noDatasetGetsSuchANameAgain(String method, String segment) throws Exception {
    byte[] body = segment.endsWith("csv") ? utf8("a\n1\n") : Streams.numbers(0, 2);
    HttpResponse<byte[]> response =
        send(method, "/datasets/" + segment, BodyPublishers.ofByteArray(body));
    String name = segment.substring(0, segment.lastIndexOf('.'));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected a name without the suffix of a representation but found \"%s\" at the name of a dataset"
                .formatted(name));
    assertThat(json(response).get("hint").asString())
        .isEqualTo("Choose another name, such as %s.".formatted(name.replace('.', '-')));
  }
}
