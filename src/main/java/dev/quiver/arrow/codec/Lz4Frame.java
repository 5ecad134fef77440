package dev.quiver.arrow.codec;

import static dev.quiver.arrow.codec.Frames.MAGIC_BYTE_SIZE;
import static dev.quiver.arrow.codec.Lz4FrameFormat.BD_BLOCK_SIZE_SHIFT;
import static dev.quiver.arrow.codec.Lz4FrameFormat.BLOCK_RAW;
import static dev.quiver.arrow.codec.Lz4FrameFormat.BLOCK_SIZE_BYTE_SIZE;
import static dev.quiver.arrow.codec.Lz4FrameFormat.BLOCK_SIZE_CODE_MAXIMUM;
import static dev.quiver.arrow.codec.Lz4FrameFormat.BLOCK_SIZE_CODE_MINIMUM;
import static dev.quiver.arrow.codec.Lz4FrameFormat.CONTENT_SIZE_BYTE_SIZE;
import static dev.quiver.arrow.codec.Lz4FrameFormat.END_MARK;
import static dev.quiver.arrow.codec.Lz4FrameFormat.FLG_CONTENT_SIZE;
import static dev.quiver.arrow.codec.Lz4FrameFormat.FLG_INDEPENDENT_BLOCKS;
import static dev.quiver.arrow.codec.Lz4FrameFormat.FLG_VERSION;
import static dev.quiver.arrow.codec.Lz4FrameFormat.HEADER_BYTE_SIZE_MINIMUM;
import static dev.quiver.arrow.codec.Lz4FrameFormat.MAGIC;

import dev.quiver.arrow.memory.LittleEndian;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;
import java.util.Properties;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/// The LZ4 frame codec. It reads every frame without a dictionary, and writes independent blocks.
///
/// Frames are read by [Lz4FrameDecoder], since lz4-java rejects the linked blocks that Arrow C++
/// writes. Nor can lz4-java link blocks, so the blocks written are independent, which every reader
/// supports.
///
/// A written frame declares its content size. Its block size is the smallest that holds the content
/// in one block, up to 4 MiB. Larger blocks lose less at their edges, and readers that allocate a
/// whole block waste nothing on small buffers.
public final class Lz4Frame implements BufferCodec {

  public static final Lz4Frame INSTANCE = new Lz4Frame();

  private static final int WRITTEN_HEADER_BYTE_SIZE =
      HEADER_BYTE_SIZE_MINIMUM + CONTENT_SIZE_BYTE_SIZE;

  /// Each byte that lengthens a match adds 255.
  private static final int MAXIMUM_UNCOMPRESSED_RATIO = 255;

  /// Requested explicitly, so that a native library that fails to load is an error. lz4-java's
  /// fastest instance would silently fall back to Java code.
  private final LZ4Compressor compressor = LZ4Factory.nativeInstance().fastCompressor();

  private final String libraryVersion = readLibraryVersion();

  /// Whether [UncheckedLz4Sequences] may decode.
  private static volatile boolean unchecked = true;

  private Lz4Frame() {}

  /// Decides for the whole process whether frames are decoded without the bounds checks of the JVM:
  /// `quiver.unchecked-lz4`. Frames that are being decoded are not affected.
  public static void decodeUnchecked(boolean allowed) {
    unchecked = allowed;
  }

  /// Returns whether frames are decoded without the bounds checks of the JVM.
  public static boolean isUnchecked() {
    return unchecked;
  }

  @Override
  public long maximumCompressedByteSize(long byteSize) {
    int blockByteSize = Lz4FrameFormat.maximumBlockByteSize(blockSizeCode(byteSize));
    long blocks = Math.ceilDiv(byteSize, blockByteSize);
    // While the last block is being compressed, it may exceed its final size.
    int largest = (int) Math.min(byteSize, blockByteSize);
    int excess = compressor.maxCompressedLength(largest) - largest;
    return Math.addExact(
        byteSize, WRITTEN_HEADER_BYTE_SIZE + (blocks + 1) * BLOCK_SIZE_BYTE_SIZE + (long) excess);
  }

  @Override
  public int maximumUncompressedRatio() {
    return MAXIMUM_UNCOMPRESSED_RATIO;
  }

  @Override
  public String libraryVersion() {
    return libraryVersion;
  }

  @Override
  public long compress(MemorySegment source, MemorySegment destination) {
    long needed = maximumCompressedByteSize(source.byteSize());
    if (destination.byteSize() < needed) {
      throw new IllegalArgumentException(
          "Expected a destination of at least %d bytes but found %d"
              .formatted(needed, destination.byteSize()));
    }
    int blockSizeCode = blockSizeCode(source.byteSize());
    int blockByteSize = Lz4FrameFormat.maximumBlockByteSize(blockSizeCode);
    writeHeader(source.byteSize(), blockSizeCode, destination);
    long output = WRITTEN_HEADER_BYTE_SIZE;
    try (Arena arena = Arena.ofConfined()) {
      BlockWriter writer = new BlockWriter(source, destination, blockByteSize, arena);
      for (long start = 0; start < source.byteSize(); start += blockByteSize) {
        int byteSize = (int) Math.min(blockByteSize, source.byteSize() - start);
        output += writer.write(start, byteSize, output);
      }
    }
    LittleEndian.setInt32(destination, output, END_MARK);
    return output + BLOCK_SIZE_BYTE_SIZE;
  }

  @Override
  public void decompress(MemorySegment source, MemorySegment destination) {
    new Lz4FrameDecoder(source, destination, unchecked).decode();
  }

  /// Reads the version from the library's Maven metadata, since the library has no constant for it.
  private static String readLibraryVersion() {
    String name = "/META-INF/maven/at.yawk.lz4/lz4-java/pom.properties";
    try (InputStream file = LZ4Factory.class.getResourceAsStream(name)) {
      Properties properties = new Properties();
      properties.load(Objects.requireNonNull(file, name));
      return Objects.requireNonNull(properties.getProperty("version"), name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int blockSizeCode(long byteSize) {
    int code = BLOCK_SIZE_CODE_MINIMUM;
    while (code < BLOCK_SIZE_CODE_MAXIMUM && Lz4FrameFormat.maximumBlockByteSize(code) < byteSize) {
      code++;
    }
    return code;
  }

  private static void writeHeader(long byteSize, int blockSizeCode, MemorySegment destination) {
    LittleEndian.setInt32(destination, 0, MAGIC);
    long descriptor = MAGIC_BYTE_SIZE;
    int flags = FLG_VERSION | FLG_INDEPENDENT_BLOCKS | FLG_CONTENT_SIZE;
    LittleEndian.setInt8(destination, descriptor, (byte) flags);
    LittleEndian.setInt8(
        destination, descriptor + 1, (byte) (blockSizeCode << BD_BLOCK_SIZE_SHIFT));
    LittleEndian.setInt64(destination, descriptor + 2, byteSize);
    int checksum = XxHash32.hash(destination, descriptor, 2 + CONTENT_SIZE_BYTE_SIZE);
    LittleEndian.setInt8(destination, WRITTEN_HEADER_BYTE_SIZE - 1, (byte) (checksum >>> 8));
  }

  /// A compressor of blocks. The library works on native memory, so a source or destination on the
  /// heap is copied through a native block.
  private final class BlockWriter {

    private final MemorySegment source;
    private final MemorySegment destination;
    private final MemorySegment sourceBlock;
    private final MemorySegment destinationBlock;

    BlockWriter(MemorySegment source, MemorySegment destination, int blockByteSize, Arena arena) {
      this.source = source;
      this.destination = destination;
      int byteSize = (int) Math.min(blockByteSize, source.byteSize());
      sourceBlock = source.isNative() ? MemorySegment.NULL : arena.allocate(byteSize);
      destinationBlock =
          destination.isNative()
              ? MemorySegment.NULL
              : arena.allocate(compressor.maxCompressedLength(byteSize));
    }

    /// @return the bytes written at `output`
    long write(long start, int byteSize, long output) {
      MemorySegment content = source.asSlice(start, byteSize);
      MemorySegment from = content;
      if (!source.isNative()) {
        from = sourceBlock.asSlice(0, byteSize).copyFrom(content);
      }
      int capacity = compressor.maxCompressedLength(byteSize);
      long data = output + BLOCK_SIZE_BYTE_SIZE;
      MemorySegment to =
          destination.isNative() ? destination.asSlice(data, capacity) : destinationBlock;
      int compressedByteSize =
          compressor.compress(from.asByteBuffer(), 0, byteSize, to.asByteBuffer(), 0, capacity);
      Reference.reachabilityFence(source);
      Reference.reachabilityFence(destination);
      if (compressedByteSize >= byteSize) {
        LittleEndian.setInt32(destination, output, byteSize | BLOCK_RAW);
        MemorySegment.copy(source, start, destination, data, byteSize);
        return BLOCK_SIZE_BYTE_SIZE + (long) byteSize;
      }
      LittleEndian.setInt32(destination, output, compressedByteSize);
      if (!destination.isNative()) {
        MemorySegment.copy(to, 0, destination, data, compressedByteSize);
      }
      return BLOCK_SIZE_BYTE_SIZE + (long) compressedByteSize;
    }
  }
}
