package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Reads with the parameter `max-value-bytes`.
class LongValuesTest extends SelectedTables {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ".csv | color,number\\r\\nre…,99\\r\\n",
        ".tsv | color\\tnumber\\nre…\\t99\\n",
        ".jsonl | {\"color\":\"re…\",\"number\":99}\\n",
        ".json | [\\n{\"color\":\"re…\",\"number\":99}\\n]\\n"
      })
  void cutsLongValuesOfText(String suffix, String expected) throws Exception {
    String url = "/datasets/table-zstd" + suffix + "?columns=color,number&offset=-1";
    String whole = text(get(url));
    assertThat(header(get(url), "Quiver-Max-Value-Bytes")).isEmpty();
    HttpResponse<byte[]> cut = get(url + "&max-value-bytes=2");
    assertThat(text(cut)).isEqualTo(expected.translateEscapes());
    assertThat(header(cut, "Quiver-Max-Value-Bytes")).isEqualTo("2");
    // Not all formats have the parameter, so links to others omit it.
    assertThat(header(cut, "Link")).contains("@1?columns=color%2Cnumber&offset=-1>");
    HttpResponse<byte[]> longer = get(url + "&max-value-bytes=3");
    assertThat(text(longer)).isEqualTo(whole);
    assertThat(header(longer, "ETag"))
        .isNotEqualTo(header(cut, "ETag"))
        .isNotEqualTo(header(get(url), "ETag"));
    // The length of the one text is not that of the other.
    assertThat(header(head(url), "Content-Length")).isEqualTo("" + get(url).body().length);
    assertThat(header(head(url + "&max-value-bytes=2"), "Content-Length"))
        .isEqualTo("" + cut.body().length);
    HttpResponse<byte[]> part = get(url + "&max-value-bytes=2", "Range", "bytes=-9");
    assertThat(part.statusCode()).isEqualTo(206);
    assertThat(header(part, "Quiver-Max-Value-Bytes")).isEqualTo("2");
    assertThat(part.body())
        .isEqualTo(Arrays.copyOfRange(cut.body(), cut.body().length - 9, cut.body().length));
  }

  @Test
  void cutsLongValuesOfPages() throws Exception {
    HttpResponse<byte[]> page =
        get("/datasets/table-zstd?columns=color&max-value-bytes=2", "Accept", "text/html");
    assertThat(text(page)).contains("<td>re…").doesNotContain("<td>red");
    assertThat(text(page)).contains(".csv?columns=color\"");
    assertThat(header(page, "Quiver-Max-Value-Bytes")).isEqualTo("2");
  }

  @ParameterizedTest
  @CsvSource({
    "table-zstd.arrow, */*",
    "table-zstd.arrows, */*",
    "table-zstd, */*",
    "table-zstd, application/vnd.apache.arrow.file",
    "table-zstd, multipart/mixed"
  })
  void arrowDataIsNeverCut(String path, String accept) throws Exception {
    HttpResponse<byte[]> response =
        get("/datasets/" + path + "?max-value-bytes=2", "Accept", accept);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(json(response).get("detail").asString())
        .isEqualTo(
            "Expected no max-value-bytes, which only text has, but found \"2\" at parameter"
                + " max-value-bytes");
  }
}
