package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Reads with the parameter `rows`.
class ChosenRowsTest extends SelectedTables {

  @ParameterizedTest
  @ValueSource(strings = {"table-plain.arrow", "table-zstd.arrows", "table-lz4.arrow", "table-lz4"})
  void rowsComeInTheirOrderAndOnce(String path) throws Exception {
    for (String codec : new String[] {"", "&codec=none", "&codec=zstd"}) {
      String url = "/datasets/" + path + "?rows=99,3,50,51,3";
      HttpResponse<byte[]> response = get(url + codec);
      Table table = Table.of(response);
      assertThat(table.numbers()).containsExactly(3L, 50L, 51L, 99L);
      assertThat(table.batchRows()).containsExactly(1L, 2L, 1L);
      assertThat(header(response, "Arrow-Row-Count")).isEqualTo("4");
      HttpResponse<byte[]> same = get("/datasets/" + path + "?rows=3,50&rows=051,99" + codec);
      assertThat(same.body()).isEqualTo(response.body());
      assertThat(header(same, "ETag")).isEqualTo(header(response, "ETag"));
      assertThat(header(get(url + ",4" + codec), "ETag")).isNotEqualTo(header(response, "ETag"));
      Table columns = Table.of(get(url + "&columns=color,number" + codec));
      assertThat(columns.numbers()).containsExactly(3L, 50L, 51L, 99L);
      assertThat(columns.schema().fields()).hasSize(2);
    }
  }

  @Test
  void otherParametersCountAmongThem() throws Exception {
    String url = "/datasets/table-zstd.arrows?rows=0,29,30,79,80,99";
    assertThat(Table.of(get(url + "&offset=1&limit=3")).numbers()).containsExactly(29L, 30L, 79L);
    assertThat(Table.of(get(url + "&offset=-2")).numbers()).containsExactly(80L, 99L);
    assertThat(Table.of(get(url + "&sample=3")).numbers()).containsExactly(0L, 30L, 80L);
  }

  @Test
  void numbersCountTheRowsThatOtherwiseMatch() throws Exception {
    String url = "/datasets/table-zstd.arrows?where=number%20%25%2010%20%3D%207&rows=";
    assertThat(Table.of(get(url + "9,0,3")).numbers()).containsExactly(7L, 37L, 97L);
    String whole = header(get("/datasets/table-zstd.arrows?rows=9,0,3"), "ETag");
    assertThat(header(get(url + "9,0,3"), "ETag")).isNotEqualTo(whole);
    assertThat(text(get(url + "10")))
        .contains("Expected numbers below 10, the number of rows, but found 10 at parameter rows");
    put("/datasets/chosen-since", Streams.numbers(0, 10));
    post("/datasets/chosen-since", Streams.numbers(10, 5));
    String since = "/datasets/chosen-since.arrows?since=1&rows=";
    assertThat(Table.of(get(since + "0,4")).numbers()).containsExactly(10L, 14L);
    assertThat(get(since + "5").statusCode()).isEqualTo(400);
  }

  @Test
  void textHasALengthAndRanges() throws Exception {
    String url = "/datasets/table-zstd.csv?columns=number&rows=98,2";
    assertThat(text(get(url))).isEqualTo("number\r\n2\r\n98\r\n");
    assertThat(header(head(url), "Content-Length")).isEqualTo("15");
    HttpResponse<byte[]> range = get(url, "Range", "bytes=8-10");
    assertThat(range.statusCode()).isEqualTo(206);
    assertThat(text(range)).isEqualTo("2\r\n");
  }

  @Test
  void pageShowsThemAndLinksToThem() throws Exception {
    String page = text(get("/datasets/table-zstd?rows=98,2", "Accept", "text/html"));
    assertThat(page).contains("<td>2", "<td>98", "/datasets/table-zstd@1.csv?rows=2,98");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1,,2", "-1", "1-3", "1, 2", "9223372036854775808", "x"})
  void rejectsInvalidNumbers(String numbers) throws Exception {
    HttpResponse<byte[]> response =
        get("/datasets/table-zstd.csv?rows=" + numbers.replace(" ", "%20"));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(text(response))
        .contains("Expected a whole number from 0 to 9223372036854775807", "at parameter rows");
  }

  @Test
  void numbersAreLimited() throws Exception {
    assertThat(Table.of(get("/datasets/table-large.arrows?rows=" + numbers(1000))).numbers())
        .isEqualTo(range(0, 1000));
    assertThat(text(get("/datasets/table-large.arrows?rows=" + numbers(1001))))
        .contains("Expected at most 1000 numbers but found 1001 at parameter rows");
    assertThat(text(get("/datasets/table-plain.arrows?rows=100")))
        .contains("Expected numbers below 100, the number of rows, but found 100");
    assertThat(get("/datasets/table-plain/partitions?rows=1").statusCode()).isEqualTo(400);
  }

  private static String numbers(int count) {
    return IntStream.range(0, count).mapToObj(String::valueOf).collect(Collectors.joining(","));
  }

  @Test
  void rangesOfArrowDataArePartsOfTheWhole() throws Exception {
    String url = "/datasets/table-lz4.arrow?rows=1,40,41,90";
    byte[] whole = get(url).body();
    for (int from = 0; from < whole.length; from += 97) {
      int to = Math.min(from + 300, whole.length);
      assertThat(get(url, "Range", "bytes=%d-%d".formatted(from, to - 1)).body())
          .isEqualTo(Arrays.copyOfRange(whole, from, to));
    }
  }
}
