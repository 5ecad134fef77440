package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamCodecs;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads with the parameters `columns`, `offset` and `limit`. `golden.ArrowJavaSelectionTest`
/// covers every type.
class SelectionTest extends SelectedTables {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "table-plain.arrow",
        "table-plain.arrows",
        "table-plain",
        "table-zstd.arrow",
        "table-zstd.arrows",
        "table-lz4.arrow",
        "table-lz4"
      })
  void selectsRowsAcrossBatches(String path) throws Exception {
    for (String codec : new String[] {"", "&codec=none", "&codec=lz4", "&codec=zstd"}) {
      String url = "/datasets/" + path + "?";
      HttpResponse<byte[]> response = get(url + "offset=25&limit=60" + codec);
      Table table = Table.of(response);
      assertThat(table.numbers()).isEqualTo(range(25, 85));
      assertThat(table.batchRows()).containsExactly(5L, 0L, 50L, 5L);
      assertThat(header(response, "Arrow-Row-Count")).isEqualTo("60");
      assertThat(header(response, "Arrow-Batch-Count")).isEqualTo("4");
      assertThat(Table.of(get(url + "offset=30" + codec)).batchRows()).containsExactly(50L, 20L);
      assertThat(Table.of(get(url + "limit=30" + codec)).batchRows()).containsExactly(30L);
      assertThat(Table.of(get(url + "limit=31" + codec)).batchRows()).containsExactly(30L, 0L, 1L);
      assertThat(Table.of(get(url + "offset=33&limit=4" + codec)).numbers())
          .isEqualTo(range(33, 37));
      for (String none : new String[] {"limit=0", "offset=100", "offset=9223372036854775807"}) {
        response = get(url + none + codec);
        assertThat(Table.of(response).batchRows()).isEmpty();
        assertThat(header(response, "Arrow-Row-Count")).isEqualTo("0");
        assertThat(header(response, "Arrow-Batch-Count")).isEqualTo("0");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "columns=color,number | color: dictionary<int8, utf8> number: int32 not null",
        "columns=number&columns=point.y | number: int32 not null point: struct<y: utf8>",
        "columns=point.y,point.x,number | point: struct<y: utf8, x: int32> number: int32 not null",
        "columns=%5B0%5D&codec=lz4 | number: int32 not null",
        "columns=%22number%22,point&codec=none | number: int32 not null point: struct<x: int32, y: utf8>"
      })
  void returnsColumnsInTheRequestedOrder(String query, String columns) throws Exception {
    for (String path : new String[] {"table-plain.arrow", "table-zstd.arrows", "table-lz4"}) {
      for (String rows : new String[] {"", "&offset=0&limit=100", "&offset=7&limit=51"}) {
        Table table = Table.of(get("/datasets/" + path + "?" + query + rows));
        assertThat(table.columns()).isEqualTo(columns);
        assertThat(table.numbers()).isEqualTo(rows.contains("7") ? range(7, 58) : range(0, 100));
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"table-plain, NONE", "table-zstd, ZSTD", "table-lz4, LZ4"})
  void selectionKeepsTheStoredCodec(String name, Codec codec) throws Exception {
    HttpResponse<byte[]> response =
        get("/datasets/" + name + ".arrows?columns=number&offset=5&limit=80");
    assertThat(StreamCodecs.of(MemorySegment.ofArray(response.body()))).containsOnly(codec);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "table-plain.arrow?columns=number",
        "table-zstd.arrow?columns=color,point.y&offset=3&limit=90",
        "table-lz4.arrows?columns=point",
        "table-plain.arrows?offset=1",
        "table-zstd.arrows?limit=10",
        "table-mixed.arrow?offset=50&limit=200",
        "table-plain?limit=3",
        "table-zstd.arrow?sample=9",
        "table-plain.arrows?columns=number&offset=3&sample=50"
      })
  void selectionHasALengthAndRanges(String path) throws Exception {
    String url = "/datasets/" + path;
    HttpResponse<byte[]> head = head(url);
    HttpResponse<byte[]> whole = get(url);
    byte[] body = whole.body();
    for (String same :
        new String[] {
          "Content-Length",
          "Content-Type",
          "Content-Disposition",
          "ETag",
          "Link",
          "Last-Modified",
          "Arrow-Row-Count",
          "Arrow-Batch-Count",
          "Vary"
        }) {
      assertThat(header(head, same)).as(same).isEqualTo(header(whole, same));
    }
    assertThat(header(head, "Content-Length")).isEqualTo("" + body.length);
    assertThat(header(head, "Accept-Ranges")).isEqualTo("bytes");
    assertThat(head.body()).isEmpty();
    int length = body.length;
    int[] starts = {0, 1, 7, 8, 9, length / 3, length / 2, length - 10, length - 1};
    for (int start : starts) {
      for (int end : new int[] {start, start + 1, start + 63, length - 1, length + 5}) {
        HttpResponse<byte[]> part = get(url, "Range", "bytes=" + start + "-" + end);
        assertThat(part.statusCode()).isEqualTo(206);
        int last = Math.min(end, length - 1);
        assertThat(header(part, "Content-Range"))
            .isEqualTo("bytes %d-%d/%d".formatted(start, last, length));
        assertThat(part.body()).isEqualTo(Arrays.copyOfRange(body, start, last + 1));
        assertThat(header(part, "ETag")).isEqualTo(header(whole, "ETag"));
      }
    }
    assertThat(get(url, "Range", "bytes=-10").body())
        .isEqualTo(Arrays.copyOfRange(body, length - 10, length));
    assertThat(get(url, "Range", "bytes=" + length + "-").statusCode()).isEqualTo(416);
    HttpResponse<byte[]> parts = get(url, "Range", "bytes=0-4,20-29");
    assertThat(parts.statusCode()).isEqualTo(206);
    assertThat(header(parts, "Content-Length")).isEqualTo("" + parts.body().length);
  }

  @Test
  void conditionsCompareTheTagOfTheSelection() throws Exception {
    String url = "/datasets/table-plain.arrow?columns=number";
    String etag = header(get(url), "ETag");
    assertThat(etag).matches("\"[0-9a-z]+\\.1\\.arrow-columns-0-1\"");
    assertThat(get(url, "If-None-Match", etag).statusCode()).isEqualTo(304);
    assertThat(get(url, "If-Match", "\"x\"").statusCode()).isEqualTo(412);
    String other = header(get("/datasets/table-plain.arrow"), "ETag");
    assertThat(get(url, "If-None-Match", other).statusCode()).isEqualTo(200);
    assertThat(get(url, "Range", "bytes=0-9", "If-Range", etag).statusCode()).isEqualTo(206);
    assertThat(get(url, "Range", "bytes=0-9", "If-Range", other).statusCode()).isEqualTo(200);
    assertThat(header(head("/datasets/table-zstd.arrows?limit=3"), "ETag"))
        .matches("\"[0-9a-z]+\\.1\\.arrows-rows-0-3-1-\\d+\\.\\d+\\.\\d+-\\d+\"");
    assertThat(header(head("/datasets/table-zstd.arrows?limit=30"), "ETag"))
        .matches("\"[0-9a-z]+\\.1\\.arrows-rows-0-30-1\"");
    assertThat(header(head("/datasets/table-plain.csv?limit=3"), "ETag"))
        .matches("\"[0-9a-z]+\\.1\\.csv-\\d+-number-rows-0-3-1\"");
  }

  @Test
  void differentSelectionsHaveDifferentTags() throws Exception {
    Set<String> tags = new HashSet<>();
    int count = 0;
    for (String suffix : new String[] {".arrow", ".arrows", ".json", ".jsonl", ".csv"}) {
      for (String columns :
          new String[] {"", "&columns=number", "&columns=color,number", "&columns=point.x"}) {
        for (String rows : new String[] {"", "&offset=3", "&limit=3", "&offset=3&limit=3"}) {
          for (String form :
              suffix.startsWith(".arrow")
                  ? new String[] {"", "&codec=lz4", "&codec=none"}
                  : new String[] {"", "&numbers=string"}) {
            tags.add(
                header(
                    head("/datasets/table-zstd" + suffix + "?" + columns + rows + form), "ETag"));
            count++;
          }
        }
      }
    }
    assertThat(tags).hasSize(count).doesNotContain("");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "offset=0",
        "limit=100",
        "limit=9223372036854775807",
        "columns=number,color,point",
        "columns=%5B0%5D,color&columns=point.x,point&limit=1000"
      })
  void selectionOfEverythingEqualsTheStoredVersion(String query) throws Exception {
    for (String suffix : new String[] {".arrow", ".arrows", ".jsonl"}) {
      HttpResponse<byte[]> stored = get("/datasets/table-zstd" + suffix);
      HttpResponse<byte[]> selected = get("/datasets/table-zstd" + suffix + "?" + query);
      assertThat(selected.body()).isEqualTo(stored.body());
      assertThat(header(selected, "ETag")).isEqualTo(header(stored, "ETag"));
    }
  }

  @Test
  void textFormatsContainTheSelectedRowsAndColumns() throws Exception {
    String[] lines = text(get("/datasets/table-zstd.jsonl")).split("\n");
    assertThat(text(get("/datasets/table-zstd.jsonl?offset=28&limit=9")).split("\n"))
        .isEqualTo(Arrays.copyOfRange(lines, 28, 37));
    assertThat(text(get("/datasets/table-zstd.jsonl?offset=28&limit=3&columns=point.x,number")))
        .isEqualTo(
            """
            {"point":{"x":-28},"number":28}
            {"point":{"x":-29},"number":29}
            {"point":{"x":-30},"number":30}
            """);
    HttpResponse<byte[]> csv =
        get("/datasets/table-zstd.csv?columns=color,number&offset=99&limit=50");
    assertThat(text(csv)).isEqualTo("color,number\r\nred,99\r\n");
    assertThat(header(csv, "Arrow-Row-Count")).isEqualTo("1");
    assertThat(text(get("/datasets/table-zstd.json?columns=color&offset=100"))).isEqualTo("[]\n");
    assertThat(
            text(get("/datasets/table-zstd?columns=color&limit=1", "Accept", "application/json")))
        .contains("\"color\":\"red\"")
        .doesNotContain("number");
    assertThat(text(get("/datasets/table-zstd.csv?columns=number&limit=0")))
        .isEqualTo("number\r\n");
    assertThat(header(head("/datasets/table-zstd.csv?columns=number&limit=3"), "Content-Length"))
        .isEqualTo("" + "number\r\n0\r\n1\r\n2\r\n".length());
  }

  @Test
  void linksKeepTheSelection() throws Exception {
    String query =
        "?columns=number&columns=point.x%2C%22color%22&offset=3&limit=9&sample=5&numbers=string";
    for (String type : List.of(FILE, "text/csv", "text/html", "multipart/mixed")) {
      String links = header(get("/datasets/table-plain" + query, "Accept", type), "Link");
      assertThat(links)
          .contains("</datasets/table-plain@1/schema>; rel=\"describedby\"")
          .contains("</datasets/table-plain@1.json" + query + ">; rel=\"alternate\"")
          .contains(query + ">; rel=\"latest-version\"");
      assertThat(links.split("\\Q" + query + ">\\E", -1)).hasSize(12);
    }
    assertThat(header(get("/datasets/table-plain.arrow?codec=zstd"), "Link")).doesNotContain("?");
  }

  @Test
  void omitsLinksWithLongQueries() throws Exception {
    String query = "?columns=" + "number,".repeat(900) + "color";
    HttpResponse<byte[]> response = get("/datasets/table-plain.arrow" + query);
    assertThat(Table.of(response).schema().fields()).hasSize(2);
    assertThat(header(response, "Link"))
        .isEqualTo(
            "</datasets/table-plain@1/schema>; rel=\"describedby\","
                + " </datasets/table-plain@1/batches>; rel=\"index\"");
  }

  @Test
  void htmlPageShowsTheSelection() throws Exception {
    HttpResponse<byte[]> page =
        get("/datasets/table-zstd?columns=point.x&offset=79&limit=2", "Accept", "text/html");
    assertThat(text(page)).contains("-79}", "-80}").doesNotContain("-78}", "-81}", "dictionary");
    assertThat(text(page))
        .contains(
            "<a href=\"/datasets/table-zstd@1.csv?columns=point.x&amp;offset=79&amp;limit=2\">");
    String whole = header(get("/datasets/table-zstd", "Accept", "text/html"), "ETag");
    assertThat(header(page, "ETag")).isNotEqualTo(whole);
  }

  /// The bytes and the tag are those of the same rows counted from the start.
  @ParameterizedTest
  @ValueSource(
      strings = {".arrow", ".arrows", ".json", ".jsonl", ".csv", ".tsv", "", ".arrow?codec=lz4"})
  void negativeOffsetCountsFromTheEnd(String rest) throws Exception {
    String url = "/datasets/table-zstd" + rest + (rest.contains("?") ? "&" : "?");
    String[][] pairs = {
      {"offset=-30", "offset=70"},
      {"offset=-0030&limit=15", "offset=70&limit=15"},
      {"columns=number&offset=-71&limit=2", "columns=number&offset=29&limit=2"},
      {"offset=-100", "offset=0"},
      {"offset=-101&limit=5", "limit=5"},
      {"offset=-9223372036854775808&limit=9223372036854775807", ""},
      {"offset=-1&limit=0", "offset=99&limit=0"}
    };
    for (String[] pair : pairs) {
      HttpResponse<byte[]> fromEnd = get(url + pair[0]);
      HttpResponse<byte[]> fromStart = get(url + pair[1]);
      assertThat(fromEnd.statusCode()).as(pair[0]).isEqualTo(200);
      assertThat(fromEnd.body()).as(pair[0]).isEqualTo(fromStart.body());
      for (String same : new String[] {"ETag", "Content-Length", "Arrow-Row-Count"}) {
        assertThat(header(fromEnd, same)).as(same).isEqualTo(header(fromStart, same));
      }
      assertThat(header(fromEnd, "Content-Location"))
          .isEqualTo((url + pair[0]).replace("table-zstd", "table-zstd@1"));
    }
    assertThat(header(get(url + "offset=-30&limit=3"), "Link"))
        .contains("@1?offset=-30&limit=3>; rel=\"alternate\"; type=\"text/html\"");
  }

  @Test
  void htmlPageShowsTheLastRows() throws Exception {
    HttpResponse<byte[]> page =
        get("/datasets/table-zstd?columns=point.x&offset=-2", "Accept", "text/html");
    assertThat(text(page)).contains("-98}", "-99}").doesNotContain("-97}");
    assertThat(text(page)).contains("/datasets/table-zstd@1.csv?columns=point.x&amp;offset=-2\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "columns=numbers | Expected one field named \"numbers\" but found none at columns \"numbers\": the nearest is \"number\"",
        "columns=point.z | Expected one field named \"z\" but found none at columns \"point.z\"",
        "columns=number.x | Expected a path through structs and lists but found number: int32 not null at columns \"number.x\"",
        "columns=color.x | Expected a path through structs and lists but found color: dictionary<int8, utf8> at columns \"color.x\"",
        "columns=%5B3%5D | Expected a position less than 3 but found [3] at columns \"[3]\"",
        "columns= | Expected a name but found none at columns \"\"",
        "columns=number,,color | Expected a name but found none at columns \"\"",
        "columns=number&columns=%22x | Expected a quote after \"x but found none at columns \"\"x\"",
        "offset=-0 | Expected a whole number from -9223372036854775808 to 9223372036854775807 but found \"-0\" at parameter offset",
        "offset=--1 | Expected a whole number from -9223372036854775808 to 9223372036854775807 but found \"--1\" at parameter offset",
        "offset=-9223372036854775809 | Expected a whole number from -9223372036854775808 to 9223372036854775807 but found \"-9223372036854775809\" at parameter offset",
        "sample=-1 | Expected a whole number from 0 to 100000 but found \"-1\" at parameter sample",
        "sample=100001 | Expected a whole number from 0 to 100000 but found \"100001\" at parameter sample",
        "limit=-1 | Expected a whole number from 0 to 9223372036854775807 but found \"-1\" at parameter limit",
        "limit=ten | Expected a whole number from 0 to 9223372036854775807 but found \"ten\" at parameter limit",
        "limit= | Expected a whole number from 0 to 9223372036854775807 but found \"\" at parameter limit",
        "limit=9223372036854775808 | Expected a whole number from 0 to 9223372036854775807 but found \"9223372036854775808\" at parameter limit",
        "offset=1.5 | Expected a whole number from -9223372036854775808 to 9223372036854775807 but found \"1.5\" at parameter offset",
        "limit=1&limit=2 | Expected one value but found 2 at parameter limit"
      })
  void rejectsInvalidSelections(String query, String detail) throws Exception {
    for (String suffix : new String[] {".arrow", ".arrows", "", ".json", ".jsonl", ".csv"}) {
      HttpResponse<byte[]> response = get("/datasets/table-plain" + suffix + "?" + query);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(header(response, "Content-Type")).isEqualTo("application/problem+json");
      assertThat(json(response).get("detail").asString()).isEqualTo(detail);
      assertThat(header(response, "ETag")).isEmpty();
      assertThat(head("/datasets/table-plain" + suffix + "?" + query).statusCode()).isEqualTo(400);
    }
  }

  @Test
  void returnsALargeSelectionCompletely() throws Exception {
    for (String suffix : new String[] {".arrow", ".arrows"}) {
      String url = "/datasets/table-large" + suffix + "?offset=1&limit=" + (2 * LARGE - 2);
      HttpResponse<byte[]> response = get(url);
      Table table = Table.of(response);
      assertThat(table.batchRows()).containsExactly(LARGE - 1L, LARGE - 1L);
      assertThat(table.numbers().equals(range(1, 2 * LARGE - 1))).isTrue();
      assertThat(header(response, "Content-Length")).isEqualTo("" + response.body().length);
    }
  }
}
