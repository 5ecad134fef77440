package dev.quiver.arrow.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tests [Zstandard] against the streams of zstd-jni, whose frames have a window but no content
/// size. [ZstandardFrameTest] covers errors.
class ZstandardTest extends BufferCodecContract {

  @Override
  BufferCodec codec() {
    return Zstandard.INSTANCE;
  }

  @Override
  Stream<byte[]> oracleFrames(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZstdOutputStream stream = new ZstdOutputStream(bytes).setChecksum(true)) {
      stream.write(content);
    }
    return Stream.of(bytes.toByteArray(), Zstd.compress(content, 3));
  }

  @Override
  byte[] oracleDecompress(byte[] frame) throws IOException {
    try (ZstdInputStream stream = new ZstdInputStream(new ByteArrayInputStream(frame))) {
      return stream.readAllBytes();
    }
  }

  @Test
  void writesTheContentSize() {
    assertThat(Zstd.getFrameContentSize(compress(new byte[0]))).isEqualTo(0);
    assertThat(Zstd.getFrameContentSize(compress(new byte[70_000]))).isEqualTo(70_000);
  }
}
