package dev.quiver.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/// A small coded body cannot expand without bound, even far below all limits on sizes.
class CodedBombTest extends RunningService {

  /// Posts a form whose data is zeros. Data that precedes the metadata is stored before it is
  /// inspected.
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
  void limitsDecodedBytesPerCodedByteBeyondAnAllowance() throws Exception {
    HttpResponse<byte[]> withinAllowance = sendZeros(255);
    assertThat(withinAllowance.statusCode()).isEqualTo(400);
    assertThat(json(withinAllowance).get("type").asString())
        .isEqualTo("urn:quiver:problem:truncated");
    HttpResponse<byte[]> beyondAllowance = sendZeros(300);
    assertThat(beyondAllowance.statusCode()).isEqualTo(413);
    assertThat(json(beyondAllowance).get("detail").asString())
        .startsWith(
            "Expected at most 1000 decoded bytes per byte of the body so far, past the first"
                + " 268435456 (quiver.limits.decompression-ratio) but found ");
  }
}
