package dev.quiver.formats.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.server.http.ContentEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4Factory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BlockDecoderTest {

  private static final int MARGIN = 5;

  /// A codec and its encoder.
  enum Format {
    ZSTANDARD {
      @Override
      byte[] encode(byte[] content) {
        return Zstd.compress(content);
      }

      @Override
      void decode(BlockDecoder.Block block, byte[] destination, int byteSize) {
        BlockDecoder.decodeZstandard(block, destination, byteSize);
      }
    },
    LZ4 {
      @Override
      byte[] encode(byte[] content) {
        return LZ4Factory.safeInstance().fastCompressor().compress(content);
      }

      @Override
      void decode(BlockDecoder.Block block, byte[] destination, int byteSize) {
        BlockDecoder.decodeLz4(block, destination, byteSize);
      }
    },
    LZ4_BLOCK_WITHOUT_FRAMES {
      @Override
      byte[] encode(byte[] content) {
        return LZ4.encode(content);
      }

      @Override
      void decode(BlockDecoder.Block block, byte[] destination, int byteSize) {
        BlockDecoder.decodeHadoopLz4(block, destination, byteSize);
      }
    },
    LZ4_FRAMES {
      @Override
      byte[] encode(byte[] content) {
        int middle = content.length / 3;
        byte[] first = hadoopBlock(content, 0, middle);
        byte[] second = hadoopBlock(content, middle, content.length);
        return ByteBuffer.allocate(12 + first.length + second.length)
            .putInt(middle)
            .put(first)
            .putInt(0)
            .putInt(content.length - middle)
            .put(second)
            .array();
      }

      @Override
      void decode(BlockDecoder.Block block, byte[] destination, int byteSize) {
        BlockDecoder.decodeHadoopLz4(block, destination, byteSize);
      }
    },
    GZIP {
      @Override
      byte[] encode(byte[] content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream output = new GZIPOutputStream(bytes)) {
          output.write(content);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
      }

      @Override
      void decode(BlockDecoder.Block block, byte[] destination, int byteSize) {
        BlockDecoder.decodeGzip(block, destination, byteSize);
      }
    },
    BROTLI {
      @Override
      byte[] encode(byte[] content) {
        return ContentEncoder.brotli().encodeLast(content, content.length);
      }

      @Override
      void decode(BlockDecoder.Block block, byte[] destination, int byteSize) {
        BlockDecoder.decodeBrotli(block, destination, byteSize);
      }
    };

    abstract byte[] encode(byte[] content);

    abstract void decode(BlockDecoder.Block block, byte[] destination, int byteSize);

    /// Returns an LZ4 block after its size.
    static byte[] hadoopBlock(byte[] content, int start, int end) {
      byte[] block = LZ4.encode(Arrays.copyOfRange(content, start, end));
      return ByteBuffer.allocate(Integer.BYTES + block.length)
          .putInt(block.length)
          .put(block)
          .array();
    }

    /// Decodes bytes in the middle of an array.
    byte[] decoded(byte[] block, int byteSize) {
      byte[] bytes = new byte[block.length + 2 * MARGIN];
      System.arraycopy(block, 0, bytes, MARGIN, block.length);
      byte[] destination = new byte[byteSize + MARGIN];
      Arrays.fill(destination, (byte) 7);
      decode(new BlockDecoder.Block(bytes, MARGIN, MARGIN + block.length), destination, byteSize);
      for (int i = byteSize; i < destination.length; i++) {
        assertThat(destination[i]).isEqualTo((byte) 7);
      }
      return Arrays.copyOf(destination, byteSize);
    }
  }

  private static byte[] content() {
    byte[] content = new byte[10_000];
    Random random = new Random(4);
    for (int i = 0; i < content.length; i++) {
      content[i] = (byte) random.nextInt(3);
    }
    return content;
  }

  @ParameterizedTest
  @EnumSource
  void decodesTheContentOfABlock(Format format) {
    byte[] content = content();
    assertThat(format.decoded(format.encode(content), content.length)).isEqualTo(content);
  }

  @ParameterizedTest
  @EnumSource
  void rejectsContentOfAnotherSize(Format format) {
    byte[] block = format.encode(content());
    for (int byteSize : new int[] {0, 1, 9_999, 10_001, 20_000}) {
      assertThatThrownBy(() -> format.decoded(block, byteSize))
          .as("%d", byteSize)
          .isInstanceOf(InputException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void decodesOrRejectsDamagedBlocks(Format format) {
    byte[] valid = format.encode(content());
    Random random = new Random(5);
    for (int i = 0; i < 300; i++) {
      byte[] block = Arrays.copyOf(valid, i % 3 == 0 ? random.nextInt(valid.length) : valid.length);
      for (int change = 0; change < 3 && block.length > 0; change++) {
        block[random.nextInt(block.length)] = (byte) random.nextInt();
      }
      try {
        format.decoded(block, 10_000);
      } catch (InputException e) {
        assertThat(e).hasMessageStartingWith("Expected ");
      }
    }
  }

  /// Readers that recurse for each member overflow their stack.
  @Test
  void decodesManyGzipMembers() {
    byte[] empty = Format.GZIP.encode(new byte[0]);
    byte[] last = Format.GZIP.encode(content());
    ByteBuffer members = ByteBuffer.allocate(50_000 * empty.length + last.length);
    for (int i = 0; i < 50_000; i++) {
      members.put(empty);
    }
    assertThat(Format.GZIP.decoded(members.put(last).array(), 10_000)).isEqualTo(content());
  }

  @Test
  void rejectsGzipMembersWithAnotherChecksumOrForeignBytesAfterThem() {
    byte[] block = Format.GZIP.encode(content());
    byte[] longer = Arrays.copyOf(block, block.length + 3);
    assertThatThrownBy(() -> Format.GZIP.decoded(longer, 10_000))
        .isInstanceOf(InputException.class);
    block[block.length - 5] ^= 1;
    assertThatThrownBy(() -> Format.GZIP.decoded(block, 10_000)).hasMessageContaining("CRC-32");
  }

  /// Hadoop divides content that is larger than its buffer.
  @Test
  void decodesHadoopFramesOfSeveralBlocks() {
    byte[] content = content();
    ByteBuffer frame = ByteBuffer.allocate(20_000).putInt(content.length);
    for (int start = 0; start < content.length; start += 3_000) {
      frame.put(Format.hadoopBlock(content, start, Math.min(start + 3_000, content.length)));
    }
    byte[] bytes = Arrays.copyOf(frame.array(), frame.position());
    assertThat(Format.LZ4_FRAMES.decoded(bytes, content.length)).isEqualTo(content);
  }

  @Test
  void blocksAreWithinTheirArray() {
    assertThatThrownBy(() -> new BlockDecoder.Block(new byte[3], 2, 4))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
