package dev.quiver.arrow.validate.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.validate.Validator;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests each of the [Kernels] against simple loops, and text against the JDK's decoder, at every
/// length and alignment that vectors and words distinguish.
@Tag("random")
class KernelsTest {

  private static final int LENGTH_MAXIMUM = 300;

  private static final List<byte[]> WELL_FORMED =
      sequences(
          "c280",
          "dfbf",
          "e0a080",
          "e18080",
          "ed9fbf",
          "ee8080",
          "efbfbf",
          "f0908080",
          "f1808080",
          "f3bfbfbf",
          "f48fbfbf");

  private static final List<byte[]> ILL_FORMED =
      Stream.of(
              // Overlong forms.
              sequences("c080", "c1bf", "e08080", "e09fbf", "f0808080", "f08fbfbf"),
              // Surrogates.
              sequences("eda080", "edbfbf"),
              // Above U+10FFFF, and bytes that start no sequence.
              sequences("f4908080", "f4bfbfbf", "f5808080", "f7bfbfbf", "f888808080", "fe", "ff"),
              // Incomplete, followed by text or by the end.
              sequences(
                  "c2", "df", "e0a0", "e1", "e180", "ed9f", "ef", "f090", "f1", "f180", "f18080",
                  "f48f", "f48fbf"),
              // Continuations without a lead.
              sequences("80", "bf", "8080", "c28080", "e1808080", "f180808080"))
          .flatMap(List::stream)
          .toList();

  static Stream<Kernels> kernels() {
    return AvailableKernels.kernels();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void acceptsWellFormedSequencesAtAnyPosition(Kernels kernels) {
    for (byte[] sequence : WELL_FORMED) {
      assertText(kernels, sequence, true);
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void rejectsIllFormedSequencesAtAnyPosition(Kernels kernels) {
    for (byte[] sequence : ILL_FORMED) {
      assertText(kernels, sequence, false);
    }
  }

  /// Tests the sequence at every position in texts of ASCII and of two-byte to four-byte
  /// characters.
  private static void assertText(Kernels kernels, byte[] sequence, boolean valid) {
    for (String filler : List.of("a", "ä", "€", "😀")) {
      byte[] filling = filler.repeat(LENGTH_MAXIMUM / 2).getBytes(StandardCharsets.UTF_8);
      int character = filler.getBytes(StandardCharsets.UTF_8).length;
      for (int before = 0; before < LENGTH_MAXIMUM / 2; before += character) {
        for (int after : new int[] {0, character, LENGTH_MAXIMUM / 2 / 12 * 12}) {
          byte[] text = new byte[before + sequence.length + after];
          System.arraycopy(filling, 0, text, 0, before);
          System.arraycopy(sequence, 0, text, before, sequence.length);
          System.arraycopy(filling, 0, text, before + sequence.length, after);
          if (isUtf8(kernels, text, 0) != valid) {
            assertThat(HexFormat.of().formatHex(text)).as("text: %s", valid).isNull();
          }
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void classifiesTextLikeTheJdk(Kernels kernels) {
    int invalidCount = 0;
    for (int seed : Trials.seeds(40_000)) {
      Random random = new Random(seed);
      byte[] text = randomText(random, random.nextInt(LENGTH_MAXIMUM + 1));
      for (int changes = random.nextInt(3); changes > 0 && text.length > 0; changes--) {
        text[random.nextInt(text.length)] = (byte) random.nextInt();
      }
      boolean valid = isUtf8ForTheJdk(text);
      boolean ascii = isAscii(text);
      int shift = seed % Kernels.PADDING_BYTE_SIZE;
      byte[] padded = padded(text, shift);
      int start = Kernels.PADDING_BYTE_SIZE + shift;
      if (kernels.isUtf8(padded, start, start + text.length) != valid
          || kernels.isAscii(padded, start, start + text.length) != ascii) {
        assertThat(HexFormat.of().formatHex(text)).as("text: %s", valid).isNull();
      }
      invalidCount += valid ? 0 : 1;
    }
    assertThat(invalidCount).isBetween(Trials.of(10_000), Trials.of(30_000));
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void classifiesEveryPairOfBytesBeforeContinuationsLikeTheJdk(Kernels kernels) {
    for (int pair = 0; pair < 1 << 16; pair++) {
      for (String rest : List.of("", "80", "8080", "bf41", "808080")) {
        byte[] bytes = new byte[2 + rest.length() / 2];
        bytes[0] = (byte) (pair >>> 8);
        bytes[1] = (byte) pair;
        byte[] last = HexFormat.of().parseHex(rest);
        System.arraycopy(last, 0, bytes, 2, last.length);
        if (isUtf8(kernels, bytes, 62) != isUtf8ForTheJdk(bytes)) {
          assertThat(HexFormat.of().formatHex(bytes)).as("classified like the JDK").isNull();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void detectsASingleNonAsciiByte(Kernels kernels) {
    for (int length = 0; length <= LENGTH_MAXIMUM; length++) {
      byte[] text = new byte[length];
      Arrays.fill(text, (byte) 0x7F);
      byte[] padded = padded(text, length % 7);
      int start = Kernels.PADDING_BYTE_SIZE + length % 7;
      assertThat(kernels.isAscii(padded, start, start + length)).isTrue();
      for (int i = 0; i < length; i++) {
        padded[start + i] = (byte) 0x80;
        assertThat(kernels.isAscii(padded, start, start + length)).isFalse();
        padded[start + i] = 0;
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void detectsASingleDecrease(Kernels kernels) {
    for (int length = 1; length <= LENGTH_MAXIMUM; length++) {
      int[] ints = new Random(length).ints(length).sorted().toArray();
      long[] longs = new Random(length).longs(length).sorted().toArray();
      assertThat(kernels.ascend(ints, 1, length)).isTrue();
      assertThat(kernels.ascend(longs, 1, length)).isTrue();
      for (int i = 1; i < length; i++) {
        int kept = ints[i];
        long keptLong = longs[i];
        ints[i] = ints[i - 1] - 1;
        longs[i] = longs[i - 1] - 1;
        assertThat(kernels.ascend(ints, 1, length)).isFalse();
        assertThat(kernels.ascend(longs, 1, length)).isFalse();
        ints[i] = kept;
        longs[i] = keptLong;
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void detectsDecreasesBetweenExtremeValues(Kernels kernels) {
    int[] ints = new int[100];
    long[] longs = new long[100];
    Arrays.fill(ints, 50, 100, Integer.MAX_VALUE);
    Arrays.fill(longs, 50, 100, Long.MAX_VALUE);
    ints[20] = Integer.MIN_VALUE;
    longs[20] = Long.MIN_VALUE;
    assertThat(kernels.ascend(ints, 1, 100)).isFalse();
    assertThat(kernels.ascend(longs, 1, 100)).isFalse();
    Arrays.fill(ints, 0, 50, Integer.MIN_VALUE);
    Arrays.fill(longs, 0, 50, Long.MIN_VALUE);
    assertThat(kernels.ascend(ints, 1, 100)).isTrue();
    assertThat(kernels.ascend(longs, 1, 100)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void comparesWithTheLimitAsUnsigned(Kernels kernels) {
    long[] limits = {0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 1L << 31, -1L, 1L << 63};
    for (int seed : Trials.seeds(4_000)) {
      Random random = new Random(seed);
      int start = random.nextInt(20);
      int end = start + random.nextInt(LENGTH_MAXIMUM);
      long limit = limits[random.nextInt(limits.length)];
      byte[] bytes = new byte[end];
      short[] shorts = new short[end];
      int[] ints = new int[end];
      long[] longs = new long[end];
      for (int i = 0; i < end; i++) {
        boolean any = random.nextInt(300) == 0 || i < start;
        bytes[i] = any ? (byte) random.nextInt() : (byte) randomBelow(limit & 0xFF, random);
        shorts[i] = any ? (short) random.nextInt() : (short) randomBelow(limit & 0xFFFF, random);
        ints[i] = any ? random.nextInt() : (int) randomBelow(limit & 0xFFFF_FFFFL, random);
        longs[i] = any ? random.nextLong() : randomBelow(limit, random);
      }
      boolean areBytes = true;
      boolean areShorts = true;
      boolean areInts = true;
      boolean areLongs = true;
      for (int i = start; i < end; i++) {
        areBytes &= (bytes[i] & 0xFF) < (limit & 0xFF);
        areShorts &= (shorts[i] & 0xFFFF) < (limit & 0xFFFF);
        areInts &= (ints[i] & 0xFFFF_FFFFL) < (limit & 0xFFFF_FFFFL);
        areLongs &= Long.compareUnsigned(longs[i], limit) < 0;
      }
      assertThat(kernels.areBelow(bytes, start, end, (byte) limit)).isEqualTo(areBytes);
      assertThat(kernels.areBelow(shorts, start, end, (short) limit)).isEqualTo(areShorts);
      assertThat(kernels.areBelow(ints, start, end, (int) limit)).isEqualTo(areInts);
      assertThat(kernels.areBelow(longs, start, end, limit)).isEqualTo(areLongs);
    }
  }

  private static long randomBelow(long limit, Random random) {
    return limit == 0 ? 0 : Long.remainderUnsigned(random.nextLong(), limit);
  }

  @Test
  void choosesVectorKernelsIfTheModuleIsPresent() {
    boolean present = ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    assertThat(Validator.kernels())
        .matches(present ? "vectors of (128|256|512) bits" : "scalar code, .*");
  }

  /// Returns characters of one to four bytes, or mostly of one size.
  private static byte[] randomText(Random random, int byteSize) {
    String[] characters = {"a", "ä", "€", "😀", "ࠀ", "퟿", "\u0080", "\uFFFF", "\u07FF"};
    int frequent = random.nextInt(characters.length);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    while (text.size() < byteSize) {
      int index = random.nextBoolean() ? frequent : random.nextInt(characters.length);
      byte[] character = characters[index].getBytes(StandardCharsets.UTF_8);
      boolean fits = text.size() + character.length <= byteSize;
      text.writeBytes(fits ? character : new byte[] {'z'});
    }
    return text.toByteArray();
  }

  private static boolean isUtf8(Kernels kernels, byte[] text, int shift) {
    int start = Kernels.PADDING_BYTE_SIZE + shift;
    return kernels.isUtf8(padded(text, shift), start, start + text.length);
  }

  private static byte[] padded(byte[] text, int shift) {
    byte[] padded = new byte[shift + text.length + 2 * Kernels.PADDING_BYTE_SIZE];
    System.arraycopy(text, 0, padded, Kernels.PADDING_BYTE_SIZE + shift, text.length);
    return padded;
  }

  private static boolean isAscii(byte[] text) {
    for (byte value : text) {
      if (value < 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isUtf8ForTheJdk(byte[] text) {
    return !StandardCharsets.UTF_8
        .newDecoder()
        .decode(ByteBuffer.wrap(text), CharBuffer.allocate(text.length), true)
        .isError();
  }

  private static List<byte[]> sequences(String... hex) {
    return Arrays.stream(hex).map(HexFormat.of()::parseHex).toList();
  }
}
