package dev.quiver.fuzz;

import com.github.luben.zstd.ZstdException;
import dev.quiver.arrow.codec.BufferCodec;
import dev.quiver.arrow.memory.LittleEndian;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The checks for frames of any codec. An input is used in two ways: as a two-byte content size
/// followed by a frame, and as content to compress.
final class CodecCheck {

  private static final int SIZE_BYTE_SIZE = 2;

  /// An independent implementation.
  @FunctionalInterface
  interface Oracle {
    byte[] decompress(byte[] frame, int byteSize) throws IOException;
  }

  private CodecCheck() {}

  static void run(byte[] input, BufferCodec codec, Oracle oracle) {
    if (input.length >= SIZE_BYTE_SIZE) {
      int byteSize = (input[0] & 0xFF) | (input[1] & 0xFF) << 8;
      byte[] frame = Arrays.copyOfRange(input, SIZE_BYTE_SIZE, input.length);
      byte[] content = new byte[byteSize];
      // Decompression to the heap and to native memory takes different code paths.
      boolean accepted =
          Rejections.allow(() -> decompress(codec, frame, MemorySegment.ofArray(content)));
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment memory = arena.allocate(Math.max(1, byteSize)).asSlice(0, byteSize);
        boolean acceptedNatively = Rejections.allow(() -> decompress(codec, frame, memory));
        require(accepted == acceptedNatively, "heap and native memory agree");
        require(
            !accepted || Arrays.equals(content, memory.toArray(LittleEndian.INT8)),
            "heap and native memory hold the same");
      }
      if (accepted) {
        requireSame(content, frame, oracle);
      }
    }
    byte[] compressed = compress(codec, input);
    byte[] content = new byte[input.length];
    Rejections.forbid(() -> decompress(codec, compressed, MemorySegment.ofArray(content)));
    require(Arrays.equals(content, input), "compressed content round-trips");
    requireSame(content, compressed, oracle);
  }

  private static void decompress(BufferCodec codec, byte[] frame, MemorySegment content) {
    codec.decompress(MemorySegment.ofArray(frame).asReadOnly(), content);
  }

  private static byte[] compress(BufferCodec codec, byte[] content) {
    byte[] frame = new byte[Math.toIntExact(codec.maximumCompressedByteSize(content.length))];
    long byteSize =
        codec.compress(MemorySegment.ofArray(content).asReadOnly(), MemorySegment.ofArray(frame));
    return Arrays.copyOf(frame, Math.toIntExact(byteSize));
  }

  private static void requireSame(byte[] content, byte[] frame, Oracle oracle) {
    try {
      require(
          Arrays.equals(content, oracle.decompress(frame, content.length)),
          "the oracle reads the same");
    } catch (IOException | ZstdException e) {
      throw new AssertionError("Expected a frame that the oracle reads but it says " + e, e);
    }
  }

  private static void require(boolean holds, String condition) {
    if (!holds) {
      throw new AssertionError("Expected that " + condition);
    }
  }
}
