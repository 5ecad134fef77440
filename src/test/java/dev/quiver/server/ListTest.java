package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/// The list of datasets as JSON and as a table: filters, orders, pages, formats.
@TestPropertySource(properties = {"quiver.sample=false", "quiver.storage.path=${test.folder}/list"})
class ListTest extends RunningService {

  private static final String HEADER =
      "name,version,kind,etag,rows,batches,bytes,codec,modified,expires";

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/Trips").statusCode() == 404) {
      put("/datasets/trips-2?codec=zstd", Streams.numbers(0, 30, 30));
      put("/datasets/Trips", Streams.numbers(0, 50));
      put("/datasets/trips-1", Streams.numbers(0, 1));
      put("/datasets/gone", Streams.numbers(0, 1));
      delete("/datasets/gone");
      put("/datasets/air", Streams.numbers(0, 50));
    }
  }

  private List<String> names(String path) throws Exception {
    List<String> names = new ArrayList<>();
    json(path).get("datasets").forEach(dataset -> names.add(dataset.get("name").asString()));
    return names;
  }

  private List<String> csvNames(String path) throws Exception {
    return text(get(path)).lines().skip(1).map(line -> line.replaceFirst(",.*", "")).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 'Trips,air,trips-1,trips-2'",
    "sort=name, 'Trips,air,trips-1,trips-2'",
    "sort=-name, 'trips-2,trips-1,air,Trips'",
    "sort=rows, 'trips-1,Trips,air,trips-2'",
    "sort=-rows, 'trips-2,Trips,air,trips-1'",
    "sort=modified, 'trips-2,Trips,trips-1,air'",
    "sort=-modified, 'air,trips-1,Trips,trips-2'",
    "prefix=trips, 'trips-1,trips-2'",
    "prefix=T, Trips",
    "q=TRIPS&sort=-rows, 'trips-2,Trips,trips-1'",
    "q=nothing, ''",
    "q=%C3%A9+%25, ''",
    "after=air, 'trips-1,trips-2'",
    "after=b, 'trips-1,trips-2'",
    "'sort=-rows&after=50,Trips', 'air,trips-1'",
    "'sort=rows&after=50,b', 'trips-2'",
    "'sort=modified&after=2000-01-01T00:00:00Z,b', 'trips-2,Trips,trips-1,air'",
    "'sort=-name&after=b', 'air,Trips'",
    "limit=1&q=trips, Trips",
  })
  void listsWhatTheParametersSelect(String query, String expected) throws Exception {
    List<String> names = expected.isEmpty() ? List.of() : List.of(expected.split(","));
    assertThat(names("/datasets?" + query)).isEqualTo(names);
    assertThat(csvNames("/datasets.csv?" + query)).isEqualTo(names);
  }

  @ParameterizedTest
  @CsvSource({"name", "-name", "modified", "-modified", "bytes", "-bytes", "rows", "-rows"})
  void followingTheLinksListsEachDatasetOnce(String sort) throws Exception {
    List<String> all = names("/datasets?sort=" + sort);
    assertThat(all).hasSize(4);
    List<String> paged = new ArrayList<>();
    @Nullable String next = "/datasets?q=R&limit=1&total=true&sort=" + sort;
    while (next != null) {
      JsonNode page = json(next);
      assertThat(page.get("total").intValue()).isEqualTo(4);
      paged.add(page.at("/datasets/0/name").asString());
      next = page.has("next") ? page.get("next").asString() : null;
    }
    assertThat(paged).isEqualTo(all);
  }

  @Test
  void linksToTheNextPageKeepTheParameters() throws Exception {
    assertThat(json("/datasets?limit=1&prefix=trips").get("next").asString())
        .isEqualTo("/datasets?limit=1&after=trips-1&prefix=trips");
    assertThat(json("/datasets?limit=2&sort=-rows&q=R%2B").has("next")).isFalse();
    assertThat(json("/datasets?limit=1&sort=-rows&q=R&total=true").get("next").asString())
        .isEqualTo("/datasets?limit=1&after=60,trips-2&q=r&sort=-rows&total=true");
    JsonNode modified = json("/datasets?limit=1&sort=modified");
    assertThat(modified.get("next").asString())
        .isEqualTo(
            "/datasets?limit=1&after=%s,trips-2&sort=modified",
            modified.at("/datasets/0/modified").asString());
  }

  @Test
  void countsTheDatasetsOfAllPagesOnRequest() throws Exception {
    assertThat(json("/datasets").has("total")).isFalse();
    assertThat(json("/datasets?total=false").has("total")).isFalse();
    assertThat(json("/datasets?total=true&limit=1").get("total").intValue()).isEqualTo(4);
    assertThat(json("/datasets?total=true&prefix=trips-").get("total").intValue()).isEqualTo(2);
    assertThat(json("/datasets?total=true&q=x").get("total").intValue()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sort=size | name, -name, modified, -modified, bytes, -bytes, rows or -rows | size | sort",
        "sort= | name, -name, modified, -modified, bytes, -bytes, rows or -rows | '' | sort",
        "prefix=a* | the start of a dataset's name | a* | prefix",
        "after=5,air | a name such as flights | 5,air | after",
        "sort=bytes&after=air | a number and a name such as 5892434,flights | air | after",
        "sort=rows&after=x,air | a number and a name such as 5892434,flights | x,air | after",
        "sort=rows&after=5,* | a number and a name such as 5892434,flights | 5,* | after",
        "sort=modified&after=5,air | a time and a name such as 2026-11-20T07:34:20.125Z,flights |"
            + " 5,air | after",
        "total=1 | false or true | 1 | total",
      })
  void rejectsInvalidParameters(String query, String expected, String found, String name)
      throws Exception {
    HttpResponse<byte[]> response = get("/datasets?" + query);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo("Expected %s but found \"%s\" at parameter %s".formatted(expected, found, name));
  }

  @Test
  void onlyJsonHasATotal() throws Exception {
    HttpResponse<byte[]> response = get("/datasets?total=true", "Accept", "text/csv");
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo("Expected no total, which only JSON has, but found \"true\" at parameter total");
    assertThat(json("/datasets.json?total=true").get("total").intValue()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({
    "'*/*', application/json, ''",
    "'text/html,*/*;q=0.8', application/json, ''",
    "application/json, application/json, .json",
    "application/x-ndjson, application/x-ndjson, .jsonl",
    "text/csv, text/csv, .csv",
    "text/tab-separated-values, text/tab-separated-values, .tsv",
    "application/vnd.apache.arrow.file, application/vnd.apache.arrow.file, .arrow",
    "application/vnd.apache.arrow.stream, application/vnd.apache.arrow.stream, .arrows",
  })
  void servesTheFormatThatTheClientAccepts(String accept, String type, String suffix)
      throws Exception {
    HttpResponse<byte[]> negotiated = get("/datasets", "Accept", accept);
    assertThat(negotiated.statusCode()).isEqualTo(200);
    assertThat(header(negotiated, "Content-Type").split(";")[0]).isEqualTo(type);
    assertThat(header(negotiated, "Vary")).contains("Accept");
    assertThat(header(negotiated, "Cache-Control")).isEqualTo("no-cache");
    HttpResponse<byte[]> suffixed = get("/datasets" + (suffix.isEmpty() ? ".json" : suffix));
    assertThat(suffixed.body()).isEqualTo(negotiated.body());
    assertThat(header(suffixed, "Content-Type")).isEqualTo(header(negotiated, "Content-Type"));
    HttpResponse<byte[]> head = head("/datasets" + suffix, "Accept", accept);
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(header(head, "Content-Type")).isEqualTo(header(negotiated, "Content-Type"));
  }

  @Test
  void acceptsNoOtherFormat() throws Exception {
    assertThat(get("/datasets", "Accept", "text/html").statusCode()).isEqualTo(406);
    assertThat(get("/datasets.parquet").statusCode()).isEqualTo(404);
    assertThat(put("/datasets.csv", Streams.numbers(0, 1)).statusCode()).isEqualTo(405);
  }

  @Test
  void theTableHasTheValuesOfTheDocument() throws Exception {
    List<String> expected = new ArrayList<>(List.of(HEADER));
    for (JsonNode dataset : json("/datasets").get("datasets")) {
      expected.add(
          String.join(
              ",",
              dataset.get("name").asString(),
              dataset.get("version").asString(),
              dataset.get("kind").asString(),
              "\"\"" + dataset.get("etag").asString() + "\"\"",
              dataset.get("rows").asString(),
              dataset.get("batches").asString(),
              dataset.get("bytes").asString(),
              dataset.get("codec").isNull() ? "" : dataset.get("codec").asString(),
              dataset.get("modified").asString(),
              dataset.path("expires").asString("")));
    }
    assertThat(text(get("/datasets.csv")).lines()).isEqualTo(expected);
    HttpResponse<byte[]> response = get("/datasets.csv");
    assertThat(header(response, "Content-Disposition"))
        .isEqualTo("attachment; filename=\"datasets.csv\"");
    JsonNode line = JSON.readTree(text(get("/datasets.jsonl?prefix=trips-2")));
    assertThat(line.get("codec").asString()).isEqualTo("zstd");
    assertThat(line.get("rows").intValue()).isEqualTo(60);
  }

  @Test
  void theArrowTableIsTyped() throws Exception {
    byte[] stream = get("/datasets.arrows?prefix=trips-").body();
    JsonNode first = json("/datasets?prefix=trips-").at("/datasets/0");
    try (StreamReader reader = open(stream)) {
      assertThat(reader.schema().fields())
          .extracting(field -> field.name() + ": " + field.describeType())
          .containsExactly(
              "name: utf8",
              "version: int64",
              "kind: utf8",
              "etag: utf8",
              "rows: int64",
              "batches: int64",
              "bytes: int64",
              "codec: utf8",
              "modified: timestamp[ms, UTC]",
              "expires: timestamp[ms, UTC]");
      RecordBatch batch = Objects.requireNonNull(reader.next());
      assertThat(batch.columns().stream().map(column -> Values.of(column).getFirst()))
          .isEqualTo(
              Arrays.asList(
                  "trips-1",
                  1L,
                  "upload",
                  first.get("etag").asString(),
                  1L,
                  1L,
                  first.get("bytes").longValue(),
                  null,
                  Instant.parse(first.get("modified").asString()).toEpochMilli(),
                  null));
      assertThat(batch.length()).isEqualTo(2);
      assertThat(reader.next()).isNull();
    }
    try (StreamReader reader = open(get("/datasets.arrows?q=nothing").body())) {
      assertThat(reader.next()).isNull();
    }
  }

  private static StreamReader open(byte[] stream) throws IOException {
    return new StreamReader(ByteSource.of(MemorySegment.ofArray(stream)), Limits.DEFAULT);
  }

  @Test
  void textIsContentCodedAndArrowIsNot() throws Exception {
    String codings = "zstd, gzip";
    assertThat(header(get("/datasets.csv", "Accept-Encoding", codings), "Content-Encoding"))
        .isEqualTo("zstd");
    assertThat(header(get("/datasets/", "Accept-Encoding", "gzip"), "Content-Encoding"))
        .isEqualTo("gzip");
    assertThat(header(get("/datasets.arrow", "Accept-Encoding", codings), "Content-Encoding"))
        .isEmpty();
  }

  @Test
  void theIndexHasOneLinkForEachDataset() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/", "Accept", "application/json");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(header(response, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
    assertThat(header(response, "Vary")).isEqualTo("Accept-Encoding");
    assertThat(header(response, "Content-Security-Policy")).startsWith("default-src 'none'");
    List<String> expected = new ArrayList<>();
    for (JsonNode dataset : json("/datasets").get("datasets")) {
      expected.add(
          "<a href=\"%1$s.arrow\">%1$s.arrow</a> %2$s %3$d"
              .formatted(
                  dataset.get("name").asString(),
                  dataset.get("modified").asString().replace('T', ' ').substring(0, 16),
                  dataset.get("bytes").longValue()));
    }
    assertThat(lines(response)).isEqualTo(expected);
    assertThat(text(response).split("href", -1)).hasSize(expected.size() + 1);
    assertThat(lines(get("/datasets/?prefix=trips-1"))).hasSize(1);
    assertThat(lines(get("/datasets/?prefix=nothing"))).isEmpty();
    HttpResponse<byte[]> head = head("/datasets/");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(header(head, "Content-Type")).isEqualTo("text/html;charset=UTF-8");
    assertThat(get("/datasets/?prefix=%2F").statusCode()).isEqualTo(400);
    assertThat(post("/datasets/", Streams.numbers(0, 1)).statusCode()).isEqualTo(405);
  }

  @Test
  void theHomePageLinksToTheIndex() throws Exception {
    assertThat(text(get("/", "Accept", "text/html")))
        .contains("<a href=\"/datasets/\">all datasets</a>");
  }

  /// Returns the lines with links, with single spaces.
  private static List<String> lines(HttpResponse<byte[]> index) {
    return text(index)
        .lines()
        .filter(line -> line.startsWith("<a "))
        .map(line -> line.replaceAll(" +", " "))
        .toList();
  }

  /// An index says about a file the same as a HEAD of it.
  @Test
  void theLinksOfTheIndexLeadToFilesOfThatSize() throws Exception {
    for (String line : lines(get("/datasets/"))) {
      String file = line.replaceFirst("^<a href=\"([^\"]+)\".*", "$1");
      HttpResponse<byte[]> head = head("/datasets/" + file);
      assertThat(line).endsWith(" " + header(head, "Content-Length"));
    }
  }
}
