package dev.quiver.arrow.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.LittleEndian;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests frames written by Arrow C++. `make_frames.py`, in the same folder, computed their contents
/// as this test does. LZ4 frames of Arrow C++ have linked blocks, which lz4-java neither reads nor
/// writes.
class PyarrowFramesTest {

  private static final String[] NAMES = {"text", "short-text", "noise", "zeros", "mixed"};

  @ParameterizedTest
  @ValueSource(strings = {"text", "short-text", "noise", "zeros", "mixed"})
  void readsLz4Frames(String name) throws IOException {
    check(Lz4Frame.INSTANCE, name + ".lz4", content(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "short-text", "noise", "zeros", "mixed"})
  void readsZstandardFrames(String name) throws IOException {
    check(Zstandard.INSTANCE, name + ".zstd", content(name));
  }

  @Test
  void lz4FramesOver64KiBHaveLinkedBlocks() throws IOException {
    assertThat(frame("short-text.lz4")[4] & Lz4FrameFormat.FLG_INDEPENDENT_BLOCKS).isNotZero();
    assertThat(Arrays.stream(NAMES).filter(name -> !name.equals("short-text")))
        .allSatisfy(name ->
            assertThat(frame(name + ".lz4")[4] & Lz4FrameFormat.FLG_INDEPENDENT_BLOCKS).isZero());
  }

  private static void check(BufferCodec codec, String fileName, byte[] content) throws IOException {
    MemorySegment destination = MemorySegment.ofArray(new byte[content.length]);
    codec.decompress(MemorySegment.ofArray(frame(fileName)), destination);
    assertThat(destination.toArray(LittleEndian.INT8)).isEqualTo(content);
  }

  private static byte[] frame(String fileName) throws IOException {
    try (InputStream stream = PyarrowFramesTest.class.getResourceAsStream("/codec/" + fileName)) {
      if (stream == null) {
        throw new NoSuchFileException(fileName);
      }
      return stream.readAllBytes();
    }
  }

  private static byte[] content(String name) {
    return switch (name) {
      case "text" -> text(20_000);
      case "short-text" -> text(100);
      case "noise" -> noise(100_000);
      case "zeros" -> new byte[1_000_000];
      case "mixed" -> concatenate(text(5_000), noise(70_000), text(5_000), new byte[200_000]);
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static byte[] text(int rows) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < rows; i++) {
      text.append("row ").append(i).append(" of ").append((long) i * i % 1000).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] noise(int size) {
    byte[] bytes = new byte[size];
    long state = 1;
    for (int i = 0; i < size; i++) {
      state = state * 1103515245 + 12345 & 0x7FFF_FFFF;
      bytes[i] = (byte) (state >>> 16);
    }
    return bytes;
  }

  private static byte[] concatenate(byte[]... parts) {
    byte[] whole = new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
    int filled = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, whole, filled, part.length);
      filled += part.length;
    }
    return whole;
  }
}
