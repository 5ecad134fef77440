package dev.quiver.formats.parquet.page;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import dev.quiver.arrow.codec.GzipSource;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.MalformedInputException;
import dev.quiver.arrow.parallel.Pool;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.brotli.dec.BrotliInputStream;
import org.jspecify.annotations.Nullable;

/// A decoder of whole blocks, from array to array.
///
/// The caller knows the size of the content, which is written to the start of `destination`.
/// Nothing is written after it, and a block with content of another size is an error.
final class BlockDecoder {

  private static final LZ4SafeDecompressor LZ4 = LZ4Factory.fastestInstance().safeDecompressor();

  private static final Pool<ZstdDecompressCtx> ZSTANDARD =
      new Pool<>(Runtime.getRuntime().availableProcessors(), ZstdDecompressCtx::close);

  /// The compressed bytes.
  ///
  /// @param end the offset after the last byte
  record Block(byte[] bytes, int start, int end) {
    Block {
      if (start < 0 || start > end || end > bytes.length) {
        throw new IndexOutOfBoundsException("A block beyond its array");
      }
    }

    private int byteSize() {
      return end - start;
    }
  }

  private BlockDecoder() {}

  /// Decodes Zstandard frames.
  ///
  /// @param byteSize the size of the content
  /// @throws MalformedInputException if the block is not Zstandard data with content of that size
  static void decodeZstandard(Block block, byte[] destination, int byteSize) {
    ZstdDecompressCtx idle = ZSTANDARD.poll();
    ZstdDecompressCtx context = idle == null ? new ZstdDecompressCtx() : idle;
    try {
      int decoded =
          context.decompressByteArray(
              destination, 0, byteSize, block.bytes, block.start, block.byteSize());
      if (decoded != byteSize) {
        throw malformed("Zstandard", byteSize, null);
      }
    } catch (ZstdException e) {
      throw malformed("Zstandard", byteSize, e);
    } finally {
      ZSTANDARD.giveBack(context);
    }
  }

  /// Decodes an LZ4 block without a frame.
  ///
  /// @param byteSize the size of the content
  /// @throws MalformedInputException if the block is not LZ4 data with content of that size
  static void decodeLz4(Block block, byte[] destination, int byteSize) {
    try {
      if (decodeLz4(block, destination, 0, byteSize) != byteSize) {
        throw malformed("LZ4", byteSize, null);
      }
    } catch (LZ4Exception e) {
      throw malformed("LZ4", byteSize, e);
    }
  }

  /// @param byteSizeMaximum the bytes that may be written
  /// @return the size of the content
  private static int decodeLz4(Block block, byte[] destination, int offset, int byteSizeMaximum) {
    return LZ4.decompress(
        block.bytes, block.start, block.byteSize(), destination, offset, byteSizeMaximum);
  }

  /// Decodes LZ4 blocks in Hadoop's framing, or else an LZ4 block without a frame. Parquet's codec
  /// `LZ4` stands for both.
  ///
  /// ```text
  /// Data  → Frame*
  /// Frame → ContentByteSize:4 (ByteSize:4 Lz4Block)*, big-endian
  /// ```
  ///
  /// A frame has as many blocks as its content needs.
  ///
  /// @param byteSize the size of the content
  /// @throws MalformedInputException if the block is not such data with content of that size
  static void decodeHadoopLz4(Block block, byte[] destination, int byteSize) {
    if (!isDecodedAsHadoop(block, destination, byteSize)) {
      decodeLz4(block, destination, byteSize);
    }
  }

  /// Decodes frames as far as the block consists of them.
  ///
  /// @return whether they have content of that size
  private static boolean isDecodedAsHadoop(Block block, byte[] destination, int byteSize) {
    ByteBuffer bytes = ByteBuffer.wrap(block.bytes, block.start, block.byteSize());
    int decoded = 0;
    int frameEnd = 0;
    while (bytes.remaining() >= Integer.BYTES) {
      if (decoded == frameEnd) {
        int content = bytes.getInt();
        if (content < 0 || content > byteSize - decoded) {
          return false;
        }
        frameEnd = decoded + content;
      } else {
        int part = bytes.getInt();
        if (part <= 0 || part > bytes.remaining()) {
          return false;
        }
        Block lz4 = new Block(block.bytes, bytes.position(), bytes.position() + part);
        try {
          int count = decodeLz4(lz4, destination, decoded, frameEnd - decoded);
          decoded += count;
        } catch (LZ4Exception e) {
          return false;
        }
        bytes.position(lz4.end);
      }
    }
    return !bytes.hasRemaining() && decoded == byteSize && decoded == frameEnd;
  }

  /// Decodes gzip members.
  ///
  /// @param byteSize the size of the content
  /// @throws InputException if the block is not gzip data with content of that size
  static void decodeGzip(Block block, byte[] destination, int byteSize) {
    MemorySegment bytes = MemorySegment.ofArray(block.bytes).asSlice(block.start, block.byteSize());
    try (GzipSource content = new GzipSource(ByteSource.of(bytes))) {
      long decoded = content.readFully(MemorySegment.ofArray(destination).asSlice(0, byteSize));
      if (decoded != byteSize || content.read(MemorySegment.ofArray(new byte[1])) >= 0) {
        throw malformed("gzip", byteSize, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Reading an array failed", e);
    }
  }

  /// Decodes Brotli data.
  ///
  /// @param byteSize the size of the content
  /// @throws MalformedInputException if the block is not Brotli data with content of that size
  static void decodeBrotli(Block block, byte[] destination, int byteSize) {
    InputStream bytes = new ByteArrayInputStream(block.bytes, block.start, block.byteSize());
    try (InputStream content = new BrotliInputStream(bytes)) {
      int decoded = content.readNBytes(destination, 0, byteSize);
      if (decoded != byteSize || content.read() >= 0) {
        throw malformed("Brotli", byteSize, null);
      }
    } catch (IOException | IllegalStateException | IndexOutOfBoundsException e) {
      throw malformed("Brotli", byteSize, e);
    }
  }

  private static MalformedInputException malformed(
      String codec, int byteSize, @Nullable Throwable cause) {
    return new MalformedInputException(
        "%s data with %d bytes of content".formatted(codec, byteSize),
        "other data",
        InputLocation.byteOffset(0),
        cause);
  }
}
