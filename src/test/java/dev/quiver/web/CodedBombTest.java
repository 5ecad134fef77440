package dev.quiver.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// A small coded body cannot grow without bound, even far below every limit on sizes.
class CodedBombTest extends RunningService {

  /// The data of a form, which are kept before anybody looks at them: as many MiB of zeros.
  private HttpResponse<byte[]> sendZeros(int mebibytes) throws Exception {
    String start = "--b\r\nContent-Disposition: form-data; name=data\r\n\r\n";
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    body.writeBytes(Zstd.compress(start.getBytes(StandardCharsets.US_ASCII)));
    byte[] zeros = Zstd.compress(new byte[1 << 20]);
    for (int i = 0; i < mebibytes; i++) {
      body.writeBytes(zeros);
    }
    assertThat(body.size()).isLessThan(30_000);
    return post(
        "/datasets",
        body.toByteArray(),
        "Content-Encoding",
        "zstd",
        "Content-Type",
        "multipart/form-data; boundary=b");
  }

  @Test
  void aModerateAmountIsFreeAndTheRestCountsPerByte() throws Exception {
    HttpResponse<byte[]> free = sendZeros(255);
    assertThat(free.statusCode()).isEqualTo(400);
    assertThat(json(free).get("type").asString()).isEqualTo("urn:quiver:problem:truncated");
    HttpResponse<byte[]> refused = sendZeros(300);
    assertThat(refused.statusCode()).isEqualTo(413);
    assertThat(json(refused).get("detail").asString())
        .startsWith(
            "Expected at most 1000 decoded bytes per byte of the body so far, past the first"
                + " 268435456 (quiver.limits.decompression-ratio) but found ");
  }
}
