package dev.quiver.arrow.validate.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests [Utf8Search] and [Utf8Index] against the JDK's decoder.
@Tag("random")
class Utf8SearchTest {

  /// Bytes at the boundaries in the table of well-formed sequences.
  private static final int[] BOUNDARIES = {
    0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
    0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF
  };

  @Test
  void classifiesEverySequenceOfBoundaryBytesLikeTheJdk() {
    for (int size = 0; size <= 4; size++) {
      for (int number = 0; number < Math.pow(BOUNDARIES.length, size); number++) {
        byte[] bytes = new byte[size];
        for (int i = 0, rest = number; i < size; i++, rest /= BOUNDARIES.length) {
          bytes[i] = (byte) BOUNDARIES[rest % BOUNDARIES.length];
        }
        if (isValid(bytes) != isValidForTheJdk(bytes, 0, size)) {
          assertThat(bytes).as("classified like the JDK").isNull();
        }
      }
    }
  }

  @Test
  void findsTheFirstInvalidByteAnywhere() {
    for (int size = 1; size < 100; size++) {
      for (int invalid = 0; invalid < size; invalid++) {
        byte[] bytes = "a".repeat(size).getBytes(StandardCharsets.US_ASCII);
        bytes[invalid] = (byte) 0xFF;
        assertThat(Utf8Search.firstInvalid(MemorySegment.ofArray(bytes), 0, size))
            .isEqualTo(invalid);
        assertThat(Utf8Search.firstInvalid(MemorySegment.ofArray(bytes), 0, invalid))
            .isEqualTo(Utf8Search.VALID);
      }
    }
  }

  @Test
  void indexClassifiesEveryRangeLikeTheJdk() {
    for (int seed : Trials.seeds(12)) {
      Random random = new Random(seed);
      byte[] bytes = mixedText(random, 3 * Utf8Index.BLOCK_BYTE_SIZE + random.nextInt(50));
      for (int invalid = seed % 4; invalid > 0; invalid--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      Utf8Index index = new Utf8Index(MemorySegment.ofArray(bytes), new Blocks(Kernels.chosen()));
      for (int start = 0; start < bytes.length; start += 1 + random.nextInt(9)) {
        for (int end = start; end <= bytes.length; end += 1 + random.nextInt(9)) {
          assertThat(index.isValid(start, end)).isEqualTo(isValidForTheJdk(bytes, start, end));
        }
      }
    }
  }

  private static byte[] mixedText(Random random, int size) {
    StringBuilder text = new StringBuilder();
    while (text.length() < size) {
      text.append(random.nextBoolean() ? "plain " : "ä€😀");
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isValid(byte[] bytes) {
    return Utf8Search.firstInvalid(MemorySegment.ofArray(bytes), 0, bytes.length)
        == Utf8Search.VALID;
  }

  private static boolean isValidForTheJdk(byte[] bytes, int start, int end) {
    CharBuffer characters = CharBuffer.allocate(end - start);
    return !StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(bytes, start, end - start), characters, true)
        .isError();
  }
}
