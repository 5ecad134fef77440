package dev.quiver.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;

class MediaRangesTest {

  private static final String STREAM = "application/vnd.apache.arrow.stream";

  private static MediaRanges ranges(String accept) {
    MockHttpServletRequest request = new MockHttpServletRequest();
    request.addHeader("Accept", accept.replace("STREAM", STREAM));
    return MediaRanges.of(request);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/*;q=0.3, text/html;q=0.7, text/html;level=1 | text/html | 0.7",
        "text/*;q=0.3, text/html;q=0.7, text/html;level=1 | text/html;level=1 | 1",
        "text/*;q=0.3, text/html;q=0.7, text/html;level=1 | text/plain | 0.3",
        "text/*;q=0.3, text/html;level=2;q=0.4, */*;q=0.5 | image/jpeg | 0.5",
        "text/html;level=2;q=0.4, */*;q=0.5 | text/html;level=3 | 0.5",
        "text/html;q=0.4, text/html | text/html | 1",
        "text/csv;charset=UTF-8;q=0.4, text/csv | text/csv;charset=utf-8 | 0.4",
        "text/csv;q=0, */* | text/csv | 0",
        "text/csv;q=2, application/json;q=0.4 | text/csv | 0",
        "image/png | text/csv | 0",
        "application/jsonl;q=0.3 | application/x-ndjson | 0.3",
        "application/NDJSON | application/x-ndjson | 1",
        "text/jsonl | application/x-ndjson | 0",
        "text/html;x=\"a,b\";q=0.5, text/csv | text/csv | 1",
      })
  void mostSpecificMediaRangeDeterminesTheQuality(String accept, String type, double quality) {
    assertThat(ranges(accept).quality(type)).isEqualTo(quality);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "STREAM; codecs=\"zstd, lz4\" | 1 | zstd lz4",
        "STREAM; codecs=zstd | 1 | zstd",
        "STREAM; codecs=\"LZ4\" | 1 | lz4",
        "STREAM; codecs=\"\" | 1 | ''",
        "STREAM | 1 | ''",
        "*/*; codecs=lz4 | 1 | lz4",
        "application/*; codecs=lz4;q=0.5, */*;codecs=zstd | 0.5 | lz4",
        "STREAM, */*; codecs=zstd | 1 | ''",
        "STREAM; codecs=zstd, STREAM;codecs=lz4 | 1 | zstd lz4",
        "STREAM; codecs=zstd;q=0.5, STREAM;codecs=lz4 | 1 | lz4",
        "STREAM; codecs=zstd;q=0.5, STREAM | 1 | ''",
        "STREAM; codecs=zstd;q=0, */* | 1 | ''",
        "STREAM; q=0, */*;codecs=zstd | 0 | ''",
      })
  void mostSpecificMediaRangesDetermineTheCodecs(String accept, double quality, String codecs) {
    MediaRanges ranges = ranges(accept);
    assertThat(ranges.quality(STREAM)).isEqualTo(quality);
    assertThat(String.join(" ", ranges.codecs(STREAM))).isEqualTo(codecs);
  }
}
