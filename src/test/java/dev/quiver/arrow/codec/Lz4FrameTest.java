package dev.quiver.arrow.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG.Bits;
import org.junit.jupiter.api.Test;

/// Tests [Lz4Frame] against the frame streams of lz4-java, which support only independent blocks.
/// [Lz4FrameDecoderTest] covers linked blocks and errors.
class Lz4FrameTest extends BufferCodecContract {

  @Override
  BufferCodec codec() {
    return Lz4Frame.INSTANCE;
  }

  @Override
  Stream<byte[]> oracleFrames(byte[] content) throws IOException {
    List<byte[]> frames = new ArrayList<>();
    for (BLOCKSIZE blockSize : BLOCKSIZE.values()) {
      frames.add(frame(content, blockSize, Bits.BLOCK_INDEPENDENCE));
      frames.add(
          frame(
              content,
              blockSize,
              Bits.BLOCK_INDEPENDENCE,
              Bits.BLOCK_CHECKSUM,
              Bits.CONTENT_SIZE,
              Bits.CONTENT_CHECKSUM));
    }
    return frames.stream();
  }

  private static byte[] frame(byte[] content, BLOCKSIZE blockSize, Bits... bits)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (LZ4FrameOutputStream stream =
        new LZ4FrameOutputStream(bytes, blockSize, content.length, bits)) {
      stream.write(content);
    }
    return bytes.toByteArray();
  }

  @Override
  byte[] oracleDecompress(byte[] frame) throws IOException {
    try (LZ4FrameInputStream stream =
        new LZ4FrameInputStream(new ByteArrayInputStream(frame), true)) {
      return stream.readAllBytes();
    }
  }

  @Test
  void writesTheContentSizeAndTheSmallestSufficientBlockSize() {
    assertThat(compress(new byte[0])).startsWith(header(0x40, 0));
    assertThat(compress(new byte[64 << 10])).startsWith(header(0x40, 64 << 10));
    assertThat(compress(new byte[(64 << 10) + 1])).startsWith(header(0x50, (64 << 10) + 1));
    assertThat(compress(new byte[(1 << 20) + 1])).startsWith(header(0x70, (1 << 20) + 1));
    assertThat(compress(new byte[9 << 20])).startsWith(header(0x70, 9 << 20));
  }

  private static byte[] header(int blockDescriptor, int contentByteSize) {
    byte[] header = {0x04, 0x22, 0x4D, 0x18, 0x68, (byte) blockDescriptor, 0, 0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 4; i++) {
      header[6 + i] = (byte) (contentByteSize >>> 8 * i);
    }
    return header;
  }
}
