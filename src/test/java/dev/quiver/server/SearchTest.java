package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayInputStream;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/// Reads with the parameter `search`. `arrow.search.TextSearchTest` covers which texts match.
class SearchTest extends RunningService {

  private static final Schema SCHEMA =
      Schema.of(
          Field.of("id", false, new ArrowType.Int(32, true)),
          Field.of("title", true, new ArrowType.Utf8()),
          Field.of("genre", true, new ArrowType.Utf8())
              .withDictionary(new DictionaryEncoding(0, new ArrowType.Int(8, true), false)),
          Field.of(
              "place",
              true,
              new ArrowType.Struct(),
              Field.of("street", true, new ArrowType.Utf8View())));

  private static final List<String> GENRES = List.of("Drama", "Western", "DRAMATIC");

  @BeforeEach
  void upload() throws Exception {
    if (get("/datasets/search").statusCode() == 404) {
      put("/datasets/search", movies(0));
    }
  }

  private static byte[] movies(int first) throws Exception {
    List<Integer> ids = new ArrayList<>();
    List<String> titles = new ArrayList<>();
    List<String> genres = new ArrayList<>();
    List<List<String>> places = new ArrayList<>();
    for (int id = first; id < first + 100; id++) {
      ids.add(id);
      titles.add(id % 10 == 3 ? "A Melodrama" : "Title " + id);
      genres.add(GENRES.get(id % 50 == 0 ? 0 : 1));
      places.add(List.of(id == 42 ? "Hauptstraße 7" : "x"));
    }
    return Streams.of(SCHEMA, Map.of(0L, GENRES), ids, titles, genres, places);
  }

  private static String query(String search) {
    return "?search=" + URLEncoder.encode(search, StandardCharsets.UTF_8);
  }

  private List<String> ids(String query) throws Exception {
    HttpResponse<byte[]> response = get("/datasets/search.csv" + query + "&columns=id");
    assertThat(response.statusCode()).as(text(response)).isEqualTo(200);
    return text(response).lines().skip(1).toList();
  }

  @Test
  void findsRowsByAnyOfTheirTextsInAnyCase() throws Exception {
    assertThat(ids(query("drama")))
        .containsExactly("0", "3", "13", "23", "33", "43", "50", "53", "63", "73", "83", "93");
    assertThat(ids(query("HAUPTSTRASSE"))).containsExactly("42");
    assertThat(ids(query("title 4"))).hasSize(10).contains("4", "49").doesNotContain("43");
    assertThat(ids(query("%"))).isEmpty();
  }

  @Test
  void addsToTheOtherParameters() throws Exception {
    assertThat(ids(query("drama") + "&where=id%3E40%20and%20genre=%27Western%27"))
        .containsExactly("43", "53", "63", "73", "83", "93");
    assertThat(ids(query("drama") + "&where=id%20%25%202%20=%200")).containsExactly("0", "50");
    assertThat(ids(query("drama") + "&where=id%3C0")).isEmpty();
    assertThat(ids(query("drama") + "&offset=2&limit=2")).containsExactly("13", "23");
    assertThat(ids(query("drama") + "&offset=-1")).containsExactly("93");
    assertThat(ids(query("drama") + "&sample=2")).containsExactly("0", "50");
    assertThat(ids(query("drama") + "&rows=11,1")).containsExactly("3", "93");
    assertThat(get("/datasets/search.csv" + query("drama") + "&rows=12").statusCode())
        .isEqualTo(400);
  }

  @Test
  void countsOnlyRowsSinceAVersion() throws Exception {
    put("/datasets/searched", movies(0));
    post("/datasets/searched", movies(100));
    assertThat(text(get("/datasets/searched.csv?since=1&columns=id&search=drama")).lines().skip(1))
        .containsExactly(
            "100", "103", "113", "123", "133", "143", "150", "153", "163", "173", "183", "193");
    assertThat(header(get("/datasets/searched.arrow?search=drama"), "Arrow-Row-Count"))
        .isEqualTo("24");
  }

  @Test
  @Tag("arrow-java")
  void arrowDataHasItsTypes() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/search.arrows" + query("strasse"));
    try (RootAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(new ByteArrayInputStream(response.body()), allocator)) {
      assertThat(reader.loadNextBatch()).isTrue();
      List<FieldVector> columns = reader.getVectorSchemaRoot().getFieldVectors();
      assertThat(reader.getVectorSchemaRoot().getRowCount()).isOne();
      assertThat(columns.getFirst().getObject(0)).isEqualTo(42);
      assertThat(columns.get(2).getField().getDictionary()).isNotNull();
      assertThat(columns.getLast().getObject(0)).asString().contains("Hauptstraße 7");
      assertThat(reader.loadNextBatch()).isFalse();
    }
  }

  @Test
  void everyRepresentationHasALengthAndAnEntityTag() throws Exception {
    for (String suffix : new String[] {".arrow", ".arrows", ".csv", ".tsv", ".json", ".jsonl"}) {
      String path = "/datasets/search" + suffix + query("melo");
      HttpResponse<byte[]> whole = get(path);
      assertThat(whole.statusCode()).as(text(whole)).isEqualTo(200);
      assertThat(header(whole, "Arrow-Row-Count")).isEqualTo("10");
      assertThat(header(whole, "Link")).contains("search=melo");
      assertThat(header(head(path), "Content-Length")).isEqualTo("" + whole.body().length);
      assertThat(get(path, "Range", "bytes=5-20").statusCode()).isEqualTo(206);
      String tag = header(whole, "ETag");
      assertThat(tag).doesNotStartWith("W/");
      assertThat(get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
      assertThat(header(get(path + "&where=id%3E=0"), "ETag")).isNotEqualTo(tag);
      assertThat(header(get("/datasets/search" + suffix + query("Melo d")), "ETag"))
          .isNotEqualTo(tag);
    }
    for (String suffix : new String[] {".parquet", ".xlsx"}) {
      assertThat(get("/datasets/search" + suffix + query("melo")).statusCode()).isEqualTo(200);
    }
    HttpResponse<byte[]> page = get("/datasets/search" + query("haupt"), "Accept", "text/html");
    assertThat(text(page)).contains(">42<").doesNotContain(">41<");
  }

  @Test
  void statisticsAndPartitionsAreThoseOfTheRowsFound() throws Exception {
    HttpResponse<byte[]> statistics = get("/datasets/search/statistics" + query("drama"));
    assertThat(json(statistics).get("rows").intValue()).isEqualTo(12);
    assertThat(header(get("/datasets/search/statistics"), "ETag"))
        .isNotEqualTo(header(statistics, "ETag"));
    JsonNode partitions = json("/datasets/search/partitions?count=2&search=drama");
    JsonNode partition = partitions.get("arrow_stream_files").get(0);
    assertThat(partition.get("rows").intValue()).isEqualTo(12);
    assertThat(partition.get("uri").asString()).contains("search=drama");
  }

  @Test
  void dataWithoutTextsHasNoMatches() throws Exception {
    put("/datasets/search-numbers", Streams.numbers(0, 3));
    HttpResponse<byte[]> response = get("/datasets/search-numbers.csv" + query("1"));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(text(response)).isEqualToNormalizingNewlines("number\n");
  }

  @Test
  void textHasOneToTwoHundredCharacters() throws Exception {
    for (String longest : new String[] {"x".repeat(200), "😀".repeat(200), "ΐ".repeat(200)}) {
      assertThat(ids(query(longest))).isEmpty();
      JsonNode problem = json(get("/datasets/search.csv" + query(longest + "x")));
      assertThat(problem.get("status").intValue()).isEqualTo(400);
      assertThat(problem.get("detail").asString())
          .isEqualTo("Expected 1 to 200 characters but found 201 at parameter search");
      assertThat(problem.get("hint").asString()).contains("where=contains(");
    }
    for (String resource : new String[] {".csv", ".arrow", "/statistics", "/partitions"}) {
      JsonNode problem = json(get("/datasets/search" + resource + query("")));
      assertThat(problem.get("status").intValue()).isEqualTo(400);
      assertThat(problem.get("detail").asString())
          .isEqualTo("Expected 1 to 200 characters but found 0 at parameter search");
      assertThat(problem.get("hint").asString()).contains("Leave search out");
    }
    assertThat(get("/datasets/search.csv?search=a&search=b").statusCode()).isEqualTo(400);
  }
}
