package dev.quiver.arrow.validate.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests whole ranges against a slot-by-slot check, at block boundaries and elsewhere.
@Tag("random")
class BlocksTest {

  private static final int[] BYTE_SIZES = {
    0, 1, 5, 100, Blocks.BYTE_SIZE - 1, Blocks.BYTE_SIZE, Blocks.BYTE_SIZE + 1, 20_000
  };

  static Stream<Kernels> kernels() {
    return AvailableKernels.kernels();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void classifiesRangesOfText(Kernels kernels) {
    Blocks blocks = new Blocks(kernels);
    for (int seed : Trials.seeds(400)) {
      Random random = new Random(seed);
      byte[] text = text(random, BYTE_SIZES[seed % BYTE_SIZES.length]);
      int start = Math.min(text.length, random.nextInt(10));
      if (text.length > 0 && random.nextBoolean()) {
        text[random.nextInt(text.length)] = (byte) random.nextInt();
      }
      boolean ascii = true;
      for (int i = start; i < text.length; i++) {
        ascii &= text[i] >= 0;
      }
      Blocks.Text expected =
          ascii
              ? Blocks.Text.ASCII
              : isUtf8(text, start, text.length) ? Blocks.Text.UTF8 : Blocks.Text.OTHER;
      assertThat(blocks.text(MemorySegment.ofArray(text), start, text.length)).isEqualTo(expected);
    }
  }

  /// The end of a block falls on each byte of a character in turn.
  @ParameterizedTest
  @MethodSource("kernels")
  void acceptsCharactersAcrossTwoBlocks(Kernels kernels) {
    Blocks blocks = new Blocks(kernels);
    for (String character : new String[] {"ä", "€", "😀"}) {
      for (int ascii = Blocks.BYTE_SIZE - 8; ascii <= Blocks.BYTE_SIZE + 8; ascii++) {
        String text = "a".repeat(ascii) + character.repeat(5_000);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment data = MemorySegment.ofArray(bytes);
        assertThat(blocks.text(data, 0, bytes.length)).isEqualTo(Blocks.Text.UTF8);
        assertThat(blocks.text(data, 0, bytes.length - 1)).isEqualTo(Blocks.Text.OTHER);
        assertThat(blocks.text(data, ascii + 1, bytes.length)).isEqualTo(Blocks.Text.OTHER);
        assertThat(blocks.text(data, 0, ascii)).isEqualTo(Blocks.Text.ASCII);
        bytes[ascii] = 'a';
        assertThat(blocks.text(data, 0, bytes.length)).isEqualTo(Blocks.Text.OTHER);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void slotsAreTextIfEachIsText(Kernels kernels) {
    Blocks blocks = new Blocks(kernels);
    int valid = 0;
    for (int seed : Trials.seeds(2_000)) {
      Random random = new Random(seed);
      byte[] text = text(random, BYTE_SIZES[seed % BYTE_SIZES.length]);
      int length = 1 + random.nextInt(random.nextBoolean() ? 40 : 12_000);
      long[] offsets = slots(random, text, length);
      // Some slots start elsewhere, possibly inside a character.
      for (int moves = random.nextInt(10); moves > 0; moves--) {
        int moved = random.nextInt(length + 1);
        long low = moved == 0 ? 0 : offsets[moved - 1];
        long high = moved == length ? text.length : offsets[moved + 1];
        offsets[moved] = low + random.nextInt((int) (high - low) + 1);
      }
      int start = random.nextInt(3) == 0 ? random.nextInt(length) : 0;
      int end = start + random.nextInt(length - start + 1);
      boolean expected = true;
      for (int i = start; i < end; i++) {
        expected &= isUtf8(text, (int) offsets[i], (int) offsets[i + 1]);
      }
      for (int byteWidth : new int[] {Integer.BYTES, Long.BYTES}) {
        Integers integers = integers(offsets, byteWidth);
        assertThat(blocks.areText(MemorySegment.ofArray(text), integers, start, end))
            .as("seed %d", seed)
            .isEqualTo(expected);
      }
      valid += expected ? 1 : 0;
    }
    assertThat(valid).isBetween(Trials.of(500), Trials.of(1_900));
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void checksAscendingIntegersAcrossBlocks(Kernels kernels) {
    Blocks blocks = new Blocks(kernels);
    for (int byteWidth : new int[] {Integer.BYTES, Long.BYTES}) {
      int block = Blocks.BYTE_SIZE / byteWidth;
      for (int length :
          new int[] {0, 1, 2, block - 1, block, block + 1, 2 * block, 3 * block - 5}) {
        long[] values = LongStream.range(0, length).map(i -> i / 2).toArray();
        assertThat(blocks.ascend(integers(values, byteWidth), length)).isTrue();
        for (int changed : new int[] {0, 1, block - 1, block, block + 1, length - 1}) {
          if (changed >= 0 && changed < length) {
            long kept = values[changed];
            values[changed] = changed == 0 ? -1 : values[changed - 1] - 1;
            assertThat(blocks.ascend(integers(values, byteWidth), length)).isFalse();
            values[changed] = kept;
          }
        }
      }
      assertThat(blocks.ascend(integers(new long[] {-1, -1}, byteWidth), 2)).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void checksTheLimitOfValuesOfEveryWidth(Kernels kernels) {
    Blocks blocks = new Blocks(kernels);
    int length = 100;
    for (int byteWidth = 1; byteWidth <= Long.BYTES; byteWidth *= 2) {
      for (long limit : new long[] {0, 1, 100, 128, 200, 256, 40_000, 1L << 16, 1L << 33}) {
        for (long value : new long[] {0, 1, 99, 100, 127, 128, 255, -1}) {
          MemorySegment data = MemorySegment.ofArray(new byte[(length + 3) * byteWidth]);
          for (int i = 0; i < byteWidth; i++) {
            LittleEndian.setInt8(data, 50 * byteWidth + i, (byte) (value >> 8 * i));
          }
          long unsigned = byteWidth == Long.BYTES ? value : value & (1L << 8 * byteWidth) - 1;
          assertThat(blocks.areBelow(data, byteWidth, 3, length, limit))
              .isEqualTo(limit > 0 && Long.compareUnsigned(unsigned, limit) < 0);
          assertThat(blocks.areBelow(data, byteWidth, 51, length, limit)).isEqualTo(limit > 0);
        }
      }
    }
  }

  private static byte[] text(Random random, int byteSize) {
    String[] characters = {"a", "ä", "€", "😀"};
    int kinds = 1 + random.nextInt(characters.length);
    boolean rare = random.nextInt(4) == 0;
    StringBuilder text = new StringBuilder();
    for (int size = 0; size < byteSize; size++) {
      boolean plain = rare && random.nextInt(2_000) != 0;
      text.append(characters[plain ? 0 : random.nextInt(kinds)]);
    }
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    int end = Math.min(bytes.length, byteSize);
    while (end < bytes.length && (bytes[end] & 0xC0) == 0x80) {
      end++;
    }
    return Arrays.copyOf(bytes, end);
  }

  /// Returns the offsets of slots that start at a character, and the end of the last slot.
  private static long[] slots(Random random, byte[] text, int length) {
    long[] offsets = new long[length + 1];
    int maximum = 2 * text.length / length + 2;
    for (int i = 1; i <= length; i++) {
      int offset = (int) Math.min(text.length, offsets[i - 1] + random.nextInt(maximum));
      while (offset < text.length && (text[offset] & 0xC0) == 0x80) {
        offset++;
      }
      offsets[i] = offset;
    }
    return offsets;
  }

  private static Integers integers(long[] values, int byteWidth) {
    Integers integers =
        new Integers(MemorySegment.ofArray(new byte[values.length * byteWidth]), byteWidth);
    for (int i = 0; i < values.length; i++) {
      integers.set(i, values[i]);
    }
    return integers;
  }

  private static boolean isUtf8(byte[] text, int start, int end) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text, start, end - start));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
