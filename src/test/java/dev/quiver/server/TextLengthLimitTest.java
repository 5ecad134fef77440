package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.test.context.TestPropertySource;

/// The limit on the Arrow data whose text may be kept, reached exactly and exceeded by one row.
@TestPropertySource(properties = "quiver.limits.text-length-bytes=64B")
class TextLengthLimitTest extends RunningService {

  @ParameterizedTest
  @ValueSource(strings = {".json", ".jsonl", ".csv", ".tsv"})
  void textOfMoreDataHasNeitherLengthNorRanges(String suffix) throws Exception {
    put("/datasets/measured", Streams.numbers(0, 16));
    put("/datasets/not-measured", Streams.numbers(0, 17));
    HttpResponse<byte[]> within = head("/datasets/measured" + suffix);
    assertThat(header(within, "Content-Length")).isNotEmpty();
    assertThat(header(within, "Accept-Ranges")).isEqualTo("bytes");
    String path = "/datasets/not-measured" + suffix;
    HttpResponse<byte[]> beyond = head(path);
    assertThat(beyond.statusCode()).isEqualTo(200);
    assertThat(header(beyond, "Content-Length")).isEmpty();
    assertThat(header(beyond, "Accept-Ranges")).isEqualTo("none");
    HttpResponse<byte[]> whole = get(path, "Range", "bytes=0-3");
    assertThat(whole.statusCode()).isEqualTo(200);
    assertThat(whole.body()).isEqualTo(get(path).body());
  }
}
