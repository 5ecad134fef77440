package dev.quiver.arrow.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.LittleEndian;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The contract of every [BufferCodec]. The test of each codec supplies an oracle.
/// [Lz4FrameDecoderTest] and [ZstandardFrameTest] cover frames that no compressor writes,
/// [PyarrowFramesTest] those of Arrow C++.
@Tag("random")
abstract class BufferCodecContract {

  private static final byte CANARY = 0x5A;

  abstract BufferCodec codec();

  /// Compresses with an independent implementation, once for each variant of its frames.
  abstract Stream<byte[]> oracleFrames(byte[] content) throws IOException;

  /// Decompresses with an independent implementation.
  abstract byte[] oracleDecompress(byte[] frame) throws IOException;

  static Stream<byte[]> contents() {
    Random random = new Random(42);
    Stream<byte[]> edges =
        Stream.of(0, 1, 7, 64, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, (4 << 20) + 1)
            .flatMap(size -> Stream.of(new byte[size], noise(random, size), text(random, size)));
    return Stream.concat(edges, Stream.of(text(random, 11 << 20)));
  }

  @ParameterizedTest
  @MethodSource("contents")
  void decompressesItsOwnFrames(byte[] content) {
    assertThat(decompress(compress(content), content.length)).isEqualTo(content);
  }

  @ParameterizedTest
  @MethodSource("contents")
  void writesFramesThatTheOracleDecompresses(byte[] content) throws IOException {
    assertThat(oracleDecompress(compress(content))).isEqualTo(content);
  }

  @ParameterizedTest
  @MethodSource("contents")
  void decompressesFramesOfTheOracle(byte[] content) throws IOException {
    assertThat(oracleFrames(content))
        .allSatisfy(frame -> assertThat(decompress(frame, content.length)).isEqualTo(content));
  }

  @Test
  void compressesZerosAndBarelyExpandsNoise() {
    byte[] noise = noise(new Random(1), 1 << 20);
    assertThat(compress(new byte[1 << 20]).length).isLessThan(8 << 10);
    assertThat(compress(noise).length).isBetween(noise.length, noise.length + 64);
  }

  @Test
  void rejectsADestinationBelowTheMaximumCompressedSize() {
    long maximum = codec().maximumCompressedByteSize(1000);
    MemorySegment destination = MemorySegment.ofArray(new byte[(int) maximum - 1]);
    assertThatThrownBy(() -> codec().compress(MemorySegment.ofArray(new byte[1000]), destination))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "Expected a destination of at least %d bytes but found %d", maximum, maximum - 1);
  }

  @Test
  void rejectsADestinationThatDiffersInSizeFromTheContent() {
    for (byte[] content : new byte[][] {text(new Random(2), 1000), new byte[100_000]}) {
      byte[] frame = compress(content);
      for (int size :
          new int[] {0, 1, content.length - 1, content.length + 1, 3 * content.length}) {
        assertThatThrownBy(() -> decompress(frame, size)).isInstanceOf(InputException.class);
      }
    }
  }

  @Test
  void writesOnlyIntoTheDestination() throws IOException {
    for (int size : new int[] {0, 1, 5, 13, 100, 70_001}) {
      byte[] content = text(new Random(size), size);
      assertThat(oracleFrames(content))
          .allSatisfy(frame -> {
            byte[] surrounded = new byte[size + 64];
            Arrays.fill(surrounded, CANARY);
            codec()
                .decompress(
                    MemorySegment.ofArray(frame),
                    MemorySegment.ofArray(surrounded).asSlice(32, size));
            assertThat(Arrays.copyOfRange(surrounded, 32, 32 + size)).isEqualTo(content);
            assertThat(Arrays.copyOf(surrounded, 32)).containsOnly(CANARY);
            assertThat(Arrays.copyOfRange(surrounded, 32 + size, size + 64)).containsOnly(CANARY);
          });
    }
  }

  @Test
  void acceptsHeapNativeAndMappedSegments(@TempDir Path folder) throws IOException {
    byte[] content = text(new Random(3), 200_000);
    byte[] frame = compress(content);
    try (Arena arena = Arena.ofShared()) {
      for (MemorySegment source : segments(frame, folder, arena).toList()) {
        MemorySegment onHeap = MemorySegment.ofArray(new long[content.length / 8]);
        codec().decompress(source, onHeap);
        assertThat(onHeap.mismatch(MemorySegment.ofArray(content))).isEqualTo(-1);
        MemorySegment offHeap = arena.allocate(content.length);
        codec().decompress(source, offHeap);
        assertThat(offHeap.mismatch(onHeap)).isEqualTo(-1);
      }
      for (MemorySegment source : segments(content, folder, arena).toList()) {
        long maximum = codec().maximumCompressedByteSize(source.byteSize());
        MemorySegment onHeap = MemorySegment.ofArray(new long[(int) (maximum / 8 + 1)]);
        MemorySegment offHeap = arena.allocate(maximum);
        assertThat(codec().compress(source, onHeap)).isEqualTo(frame.length);
        assertThat(codec().compress(source, offHeap)).isEqualTo(frame.length);
        MemorySegment expected = MemorySegment.ofArray(frame);
        assertThat(onHeap.asSlice(0, frame.length).mismatch(expected)).isEqualTo(-1);
        assertThat(offHeap.asSlice(0, frame.length).mismatch(expected)).isEqualTo(-1);
      }
    }
  }

  private static Stream<MemorySegment> segments(byte[] bytes, Path folder, Arena arena)
      throws IOException {
    MemorySegment heap = MemorySegment.ofArray(bytes);
    MemorySegment offHeap = arena.allocate(bytes.length).copyFrom(heap);
    Path file = Files.write(Files.createTempFile(folder, "codec", ""), bytes);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, bytes.length, arena);
      return Stream.of(heap, heap.asReadOnly(), offHeap, offHeap.asReadOnly(), mapped);
    }
  }

  @Test
  void rejectsEveryPrefixOfAFrame() throws IOException {
    byte[] content = text(new Random(4), 300);
    assertThat(oracleFrames(content))
        .allSatisfy(frame -> {
          for (int size = 0; size < frame.length; size++) {
            byte[] prefix = Arrays.copyOf(frame, size);
            assertThatThrownBy(() -> decompress(prefix, content.length))
                .isInstanceOf(InputException.class)
                .hasMessageMatching("Expected .+ but found .+ at byte offset \\d+");
          }
        });
  }

  /// Checksums are optional, so a corruption may remain undetected. Decompression stays within
  /// bounds.
  @Test
  void corruptBytesNeverCauseAccessOutOfBounds() throws IOException {
    byte[] content = text(new Random(5), 300);
    assertThat(oracleFrames(content)).allSatisfy(frame -> corruptEveryByte(frame, content.length));
  }

  private void corruptEveryByte(byte[] frame, int contentByteSize) {
    for (int i = 0; i < frame.length; i++) {
      for (int value = 0; value < 256; value += Trials.stride()) {
        byte[] corrupt = frame.clone();
        corrupt[i] = (byte) value;
        assertThatCode(() -> decompressInCanaries(corrupt, contentByteSize))
            .doesNotThrowAnyException();
      }
    }
  }

  private void decompressInCanaries(byte[] frame, int contentByteSize) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment surrounded = arena.allocate(contentByteSize + 64).fill(CANARY);
      MemorySegment source = arena.allocate(frame.length).copyFrom(MemorySegment.ofArray(frame));
      try {
        codec().decompress(source, surrounded.asSlice(32, contentByteSize));
      } catch (InputException expected) {
        assertThat(expected.place().byteOffset()).isBetween(0L, (long) frame.length);
      }
      for (int i = 0; i < 32; i++) {
        assertThat(LittleEndian.getInt8(surrounded, i)).isEqualTo(CANARY);
        assertThat(LittleEndian.getInt8(surrounded, 32 + contentByteSize + i)).isEqualTo(CANARY);
      }
    }
  }

  final byte[] compress(byte[] content) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment source =
          arena.allocate(content.length).copyFrom(MemorySegment.ofArray(content));
      MemorySegment destination = arena.allocate(codec().maximumCompressedByteSize(content.length));
      long byteSize = codec().compress(source, destination);
      return destination.asSlice(0, byteSize).toArray(LittleEndian.INT8);
    }
  }

  final byte[] decompress(byte[] frame, int contentByteSize) {
    byte[] content = new byte[contentByteSize];
    codec().decompress(MemorySegment.ofArray(frame), MemorySegment.ofArray(content));
    return content;
  }

  static byte[] noise(Random random, int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  /// Returns words of one to twenty letters from a small vocabulary, so that matches of all kinds
  /// occur.
  static byte[] text(Random random, int size) {
    byte[] bytes = new byte[size];
    int filled = 0;
    while (filled < size) {
      int word = random.nextInt(200);
      int count = Math.min(size - filled, 1 + word % 20);
      for (int i = 0; i < count; i++) {
        bytes[filled++] = (byte) ('a' + (word % 7 == 0 ? word % 26 : (word * 31 + i * i) % 26));
      }
    }
    return bytes;
  }
}
