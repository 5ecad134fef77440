package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads with the parameter `sample`.
class SampleTest extends SelectedTables {

  /// Returns the numbers that a sample of `rows` rows from `start` on has.
  private static List<@Nullable Object> sample(long start, long rows, int count) {
    return new ArrayList<>(
        LongStream.range(0, count).mapToObj(i -> start + i * rows / count).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "table-plain.arrow",
        "table-plain.arrows",
        "table-zstd.arrow",
        "table-zstd.arrows",
        "table-lz4.arrow",
        "table-lz4"
      })
  void sampleSpreadsItsRowsEvenly(String path) throws Exception {
    for (String codec : new String[] {"", "&codec=none", "&codec=lz4", "&codec=zstd"}) {
      String url = "/datasets/" + path + "?sample=";
      HttpResponse<byte[]> response = get(url + 7 + codec);
      Table table = Table.of(response);
      assertThat(table.numbers()).isEqualTo(sample(0, 100, 7));
      assertThat(table.batchRows()).containsExactly(3L, 3L, 1L);
      assertThat(header(response, "Arrow-Row-Count")).isEqualTo("7");
      assertThat(header(response, "Arrow-Batch-Count")).isEqualTo("3");
      assertThat(get(url + 7 + codec).body()).isEqualTo(response.body());
      assertThat(Table.of(get(url + 5 + "&offset=-60&limit=33" + codec)).numbers())
          .isEqualTo(sample(40, 33, 5));
      Table columns = Table.of(get(url + 99 + "&columns=color,number" + codec));
      assertThat(columns.numbers()).isEqualTo(sample(0, 100, 99));
      assertThat(columns.schema().fields()).hasSize(2);
      assertThat(Table.of(get(url + 0 + codec)).batchRows()).isEmpty();
    }
  }

  @Test
  void sampleOfAllRowsIsTheStoredVersion() throws Exception {
    for (String suffix : new String[] {".arrow", ".arrows", ".csv"}) {
      String url = "/datasets/table-zstd" + suffix;
      for (String sample : new String[] {"100", "101", "100000"}) {
        assertThat(header(get(url + "?sample=" + sample), "ETag"))
            .isEqualTo(header(get(url), "ETag"));
      }
      assertThat(header(get(url + "?limit=9&sample=9"), "ETag"))
          .isEqualTo(header(get(url + "?limit=9"), "ETag"));
      assertThat(header(get(url + "?limit=9&sample=8"), "ETag"))
          .isNotEqualTo(header(get(url + "?limit=9"), "ETag"));
    }
  }

  @Test
  void textFormatsContainTheSample() throws Exception {
    for (String suffix : new String[] {".jsonl", ".csv", ".tsv", ".json"}) {
      String url = "/datasets/table-zstd" + suffix;
      String[] lines = text(get(url)).split("\n");
      int head = suffix.equals(".jsonl") ? 0 : 1;
      List<String> expected = new ArrayList<>(List.of(lines).subList(0, head));
      for (int i = 0; i < 9; i++) {
        expected.add(lines[head + 10 + i * 80 / 9]);
      }
      String sampled = text(get(url + "?offset=10&limit=80&sample=9"));
      if (suffix.equals(".json")) {
        assertThat(sampled.lines().skip(1).limit(8).toList()).isEqualTo(expected.subList(1, 9));
      } else {
        assertThat(sampled).isEqualTo(String.join("\n", expected) + "\n");
      }
      assertThat(header(head(url + "?offset=10&limit=80&sample=9"), "Content-Length"))
          .isEqualTo("" + sampled.length());
      assertThat(text(get(url + "?offset=10&limit=80&sample=9", "Range", "bytes=40-99")))
          .isEqualTo(sampled.substring(40, 100));
    }
  }

  @Test
  void htmlPageShowsTheSample() throws Exception {
    HttpResponse<byte[]> page =
        get("/datasets/table-zstd?columns=point.x&sample=3", "Accept", "text/html");
    assertThat(text(page)).contains("0}", "-33}", "-66}").doesNotContain("-1}", "-34}");
    assertThat(text(page)).contains("/datasets/table-zstd@1.csv?columns=point.x&amp;sample=3\"");
    put("/datasets/table-single?batches=keep", Streams.numbers(0, 1, 1, 1, 1, 1, 1, 1, 1));
    String single = text(get("/datasets/table-single?sample=6", "Accept", "text/html"));
    assertThat(single).contains("<td>0", "<td>1", "<td>2", "<td>4", "<td>5", "<td>6");
  }
}
