package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;

/// Responses to a client without a browser: the home page as text, tables for a terminal, and lines
/// that end.
@TestPropertySource(
    properties = {
      "quiver.sample=false",
      "quiver.storage.path=${test.folder}/terminal",
      "quiver.limits.table-rows=50"
    })
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TerminalTest extends RunningService {

  private static final String TABLE = "text/plain;charset=utf-8";

  private static final String PAIRS =
      """
      ┌───────┬──────┐
      │     a │ b    │
      │ int64 │ utf8 │
      ├───────┼──────┤
      │     1 │ x    │
      │    20 │ NULL │
      └───────┴──────┘
      2 rows, 2 columns
      """;

  @BeforeAll
  void store() throws Exception {
    assertThat(put("/datasets/pairs.csv", bytes("a,b\n1,x\n20,\n")).statusCode()).isEqualTo(201);
    int[] batches = new int[30];
    Arrays.fill(batches, 10);
    put("/datasets/many?batches=keep", Streams.numbers(0, batches));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> cells(HttpResponse<byte[]> table) {
    return text(table)
        .lines()
        .filter(line -> line.startsWith("│"))
        .skip(2)
        .map(line -> line.split("│")[1].strip())
        .toList();
  }

  @Test
  void datasetIsATable() throws Exception {
    HttpResponse<byte[]> response = get("/datasets/pairs.txt");
    assertThat(text(response)).isEqualTo(PAIRS);
    assertThat(header(response, "Content-Type")).isEqualTo(TABLE);
    assertThat(header(response, "Content-Disposition"))
        .startsWith("inline; filename=\"pairs.txt\"");
    assertThat(header(response, "Arrow-Row-Count")).isEqualTo("2");
    assertThat(header(response, "Content-Length"))
        .isEqualTo(Integer.toString(response.body().length));
    assertThat(header(response, "Link"))
        .contains("</datasets/pairs@1.csv>; rel=\"alternate\"; type=\"text/csv\"")
        .doesNotContain("text/plain");
    assertThat(header(get("/datasets/pairs.csv"), "Link"))
        .contains("</datasets/pairs@1.txt>; rel=\"alternate\"; type=\"text/plain\"");
    assertThat(get("/datasets/pairs.txt", "If-None-Match", header(response, "ETag")).statusCode())
        .isEqualTo(304);
  }

  @Test
  void acceptSelectsATable() throws Exception {
    String sql = "SELECT * FROM pairs ORDER BY a";
    List<HttpResponse<byte[]>> tables =
        List.of(
            get("/datasets/pairs", "Accept", "text/plain"),
            get("/datasets/pairs@1", "Accept", "text/plain; charset=utf-8"),
            get("/sql?q=" + sql.replace(" ", "+"), "Accept", "text/plain"),
            get("/sql.txt?q=" + sql.replace(" ", "+")),
            post("/sql.txt", bytes(sql)),
            post("/sql", bytes(sql), "Accept", "text/plain"),
            post("/convert", get("/datasets/pairs.arrow").body(), "Accept", "text/plain"));
    for (HttpResponse<byte[]> table : tables) {
      assertThat(text(table)).isEqualTo(PAIRS);
      assertThat(header(table, "Content-Type")).isEqualTo(TABLE);
    }
    assertThat(header(get("/datasets/pairs", "Accept", "text/*"), "Content-Type"))
        .startsWith("text/csv");
  }

  @Test
  void datasetShowsItsFirstAndLastRows() throws Exception {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      if (i == 20) {
        expected.add("…");
      } else if (i < 20 || i >= 280) {
        expected.add(Integer.toString(i));
      }
    }
    HttpResponse<byte[]> table = get("/datasets/many.txt?columns=number");
    assertThat(cells(table)).isEqualTo(expected);
    assertThat(text(table)).endsWith("300 rows (40 shown), 1 column\n");
    HttpResponse<byte[]> result = get("/sql.txt?q=SELECT+number+FROM+many+ORDER+BY+number");
    assertThat(text(result)).isEqualTo(text(table));
  }

  @ParameterizedTest
  @CsvSource({
    "limit=7, 7, 7",
    "limit=50, 50, 50",
    "limit=51, 51, 50",
    "limit=100000, 300, 50",
    "limit=0, 0, 0",
    "offset=290, 10, 10",
    "offset=-5&limit=3, 3, 3",
    "sample=60, 60, 40",
    "where=number<30, 30, 30",
  })
  void limitSelectsRowsAndShowsUpToALimit(String query, int count, int shown) throws Exception {
    HttpResponse<byte[]> table =
        get("/datasets/many.txt?columns=number&" + query.replace("<", "%3C"));
    assertThat(cells(table).stream().filter(cell -> !cell.equals("…")).toList())
        .hasSize(shown)
        .isSubsetOf(
            text(get("/datasets/many.csv?columns=number&" + query.replace("<", "%3C")))
                .lines()
                .toList());
    assertThat(text(table))
        .endsWith(
            "%d rows%s, 1 column\n"
                .formatted(count, count == shown ? "" : " (%d shown)".formatted(shown)));
  }

  @Test
  void resultShowsMoreRowsByLimit() throws Exception {
    String path = "/sql.txt?q=SELECT+number+FROM+many+ORDER+BY+number&limit=";
    assertThat(cells(get(path + "3"))).containsExactly("0", "1", "…", "299");
    assertThat(text(get(path + "49"))).endsWith("300 rows (49 shown), 1 column\n");
    assertThat(text(get(path + "1000"))).endsWith("300 rows (50 shown), 1 column\n");
    assertThat(get(path.replace(".txt", ".csv") + "3").statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets/pairs.txt",
        "/datasets.txt",
        "/sql.txt?q=SELECT+42+AS+answer",
        "/datasets/many.txt"
      })
  void widthHasLimits(String path) throws Exception {
    String query = path + (path.contains("?") ? "&" : "?") + "width=";
    for (int width : new int[] {40, 79, 1000}) {
      HttpResponse<byte[]> table = get(query + width);
      assertThat(table.statusCode()).isEqualTo(200);
      assertThat(text(table).lines())
          .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
    }
    for (String width : List.of("39", "1001", "wide", "")) {
      assertThat(get(query + width).statusCode()).as(width).isEqualTo(400);
    }
    String other = query.replace(".txt", ".csv") + "80";
    assertThat(get(other).statusCode()).as(other).isEqualTo(400);
  }

  @Test
  void formsHaveTagsOfTheirOwn() throws Exception {
    String path = "/datasets/many.txt?columns=number";
    List<String> tags = new ArrayList<>();
    for (String query : List.of("", "&width=80", "&limit=7", "&max-value-bytes=2")) {
      tags.add(header(get(path + query), "ETag"));
    }
    tags.add(header(get("/datasets/many.csv?columns=number"), "ETag"));
    assertThat(tags).doesNotHaveDuplicates().doesNotContain("");
    assertThat(header(get(path + "&width=120"), "ETag")).isEqualTo(tags.getFirst());
    String sql = "/sql.txt?q=SELECT+a+FROM+pairs";
    assertThat(header(get(sql), "ETag")).isNotEqualTo(header(get(sql + "&width=80"), "ETag"));
  }

  @Test
  void listIsATable() throws Exception {
    String table = text(get("/datasets.txt"));
    assertThat(table)
        .contains("│ name ", "│ rows │".replace("│ rows", " rows"), "│ many ", "│ pairs ")
        .endsWith(" columns\n");
    assertThat(text(get("/datasets", "Accept", "text/plain"))).isEqualTo(table);
    assertThat(cells(get("/datasets.txt?prefix=pa"))).containsExactly("pairs");
    assertThat(cells(get("/datasets.txt?limit=1"))).hasSize(1);
  }

  @Test
  void homePageIsTextUnlessABrowserAsks() throws Exception {
    HttpResponse<byte[]> text = get("/");
    assertThat(header(text, "Content-Type")).isEqualTo(TABLE);
    assertThat(header(text, "Vary")).startsWith("Accept");
    for (String accept : List.of("*/*", "text/plain", "application/json", "text/*")) {
      assertThat(get("/", "Accept", accept).body()).as(accept).isEqualTo(text.body());
    }
    for (String accept :
        List.of(
            "text/html",
            "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
            "text/html, text/plain;q=0.5")) {
      HttpResponse<byte[]> page = get("/", "Accept", accept);
      assertThat(header(page, "Content-Type")).as(accept).isEqualTo("text/html;charset=UTF-8");
      assertThat(header(page, "Vary")).startsWith("Accept");
    }
    assertThat(text(text))
        .startsWith("Quiver at http://localhost:" + port + "\n\n")
        .contains("  many   300 rows  ", "  pairs    2 rows  ");
    assertThat(text(text).lines().count()).isBetween(6L, 12L);
  }

  @Test
  void homePageShowsFiveDatasets() throws Exception {
    for (int i = 0; i < 5; i++) {
      put("/datasets/home-" + i + ".csv", bytes("a\n1\n"));
    }
    assertThat(text(get("/")).lines().filter(line -> line.startsWith("  ")))
        .hasSize(6)
        .last()
        .isEqualTo("  and more: curl http://localhost:%d/datasets.txt".formatted(port));
    for (int i = 0; i < 5; i++) {
      delete("/datasets/home-" + i);
    }
  }

  /// The commands are those of a shell of POSIX.
  @Test
  void commandsOfTheHomePageWorkAsPrinted() throws Exception {
    List<String> commands =
        text(get("/"))
            .lines()
            .filter(line -> line.contains("curl "))
            .filter(line -> !line.startsWith(" "))
            .toList();
    assertThat(commands).hasSize(3);
    List<String> outputs = new ArrayList<>();
    for (String command : commands) {
      Process process =
          new ProcessBuilder("sh", "-c", command.replace("curl ", "curl -sSf "))
              .redirectErrorStream(true)
              .start();
      outputs.add(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
      assertThat(process.waitFor()).as(command + outputs.getLast()).isZero();
    }
    assertThat(outputs.get(0)).contains("300 rows (40 shown)");
    assertThat(outputs.get(1)).contains("│          300 │");
    assertThat(outputs.get(2)).contains("\"rows\":2").endsWith("}\n");
    String name = outputs.get(2).replaceAll(".*\"name\":\"([^\"]*)\".*\n", "$1");
    assertThat(text(get("/datasets/" + name + ".csv")))
        .isEqualTo("city,degrees\r\nBern,12\r\nOslo,7\r\n");
    delete("/datasets/" + name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/datasets",
        "/datasets.json",
        "/datasets/pairs.json",
        "/datasets/pairs.json?limit=0",
        "/datasets/pairs.jsonl",
        "/datasets/pairs/summary",
        "/datasets/pairs/schema",
        "/datasets/pairs/batches",
        "/datasets/pairs/layout",
        "/datasets/pairs/partitions",
        "/datasets/pairs/statistics",
        "/datasets/pairs/blobs",
        "/datasets/pairs/versions",
        "/datasets/nothing",
        "/nothing",
        "/datasets?nothing=1",
        "/sql.json?q=SELECT+1+AS+a",
        "/sql.json?q=SELEC",
        "/jobs",
        "/health",
        "/health/liveness",
        "/datasets/pairs.txt"
      })
  void everyTextEndsWithALineEnd(String path) throws Exception {
    HttpResponse<byte[]> response = get(path);
    assertThat(text(response)).as(path).endsWith("\n").doesNotEndWith("\n\n");
    String length = header(response, "Content-Length");
    if (!length.isEmpty()) {
      assertThat(length).isEqualTo(Integer.toString(response.body().length));
    }
  }

  @Test
  void answersToPostsAndPutsEndWithALineEnd() throws Exception {
    byte[] stream = Streams.numbers(0, 1);
    assertThat(text(put("/datasets/ended", stream))).endsWith("}\n");
    assertThat(text(post("/datasets/ended", stream))).endsWith("}\n");
    assertThat(text(put("/datasets/ended", stream, "Prefer", "respond-async"))).endsWith("}\n");
    assertThat(text(post("/inspect", stream))).endsWith("}\n");
    assertThat(text(post("/inspect", bytes("a,b\n1,2\n"), "Content-Type", "text/csv")))
        .endsWith("}\n");
    assertThat(text(post("/convert", stream, "Accept", "application/json"))).endsWith("]\n");
    assertThat(text(post("/datasets/ended/verify", new byte[0]))).endsWith("}\n");
    assertThat(text(post("/datasets/ended/compact", new byte[0]))).endsWith("}\n");
    assertThat(text(put("/datasets/ended", bytes("x")))).endsWith("}\n");
    delete("/datasets/ended");
  }

  @Test
  void rangesOfJsonCountTheLineEnd() throws Exception {
    byte[] whole = get("/datasets/pairs.json").body();
    HttpResponse<byte[]> head = head("/datasets/pairs.json");
    assertThat(header(head, "Content-Length")).isEqualTo(Integer.toString(whole.length));
    HttpResponse<byte[]> last = get("/datasets/pairs.json", "Range", "bytes=-2");
    assertThat(text(last)).isEqualTo("]\n");
  }
}
