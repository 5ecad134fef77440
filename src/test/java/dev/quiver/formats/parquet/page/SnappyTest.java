package dev.quiver.formats.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnappyTest {

  private static byte[] decompress(byte[] data, int byteSize) {
    byte[] source = Arrays.copyOf(data, data.length + Snappy.ROOM);
    byte[] destination = new byte[byteSize + Snappy.ROOM];
    Snappy.decompress(source, 0, data.length, destination, byteSize);
    return Arrays.copyOf(destination, byteSize);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "00, ''",
    "03 08 616263, abc",
    "0b 08 616263 0d 03 00 7a, abcabcabcaz",
    "08 00 61 0d 01 04 7a7a, aaaaaaaazz",
    "06 08 616263 0a 0300, abcabc",
    "06 08 616263 0b 03000000, abcabc",
    "14 04 6162 46 0200, abababababababababab"
  })
  void decodesLiteralsAndCopies(String data, String content) {
    byte[] bytes = hex(data);
    bytes[0] = (byte) content.length();
    assertThat(new String(decompress(bytes, content.length()), StandardCharsets.ISO_8859_1))
        .isEqualTo(content);
  }

  @Test
  void decodesLiteralsWithLengthsOfUpToFourBytes() {
    byte[] random = new byte[70_000];
    new Random(1).nextBytes(random);
    for (int lengthByteSize = 0; lengthByteSize <= 4; lengthByteSize++) {
      int contentByteSize = new int[] {60, 256, 65_536, 70_000, 70_000}[lengthByteSize];
      byte[] content = Arrays.copyOf(random, contentByteSize);
      byte[] data = new byte[3 + 1 + lengthByteSize + content.length];
      data[0] = (byte) (content.length | 0x80);
      data[1] = (byte) (content.length >> 7 | 0x80);
      data[2] = (byte) (content.length >> 14);
      data[3] = (byte) (59 + lengthByteSize << 2);
      for (int i = 0; i < lengthByteSize; i++) {
        data[4 + i] = (byte) (content.length - 1 >> 8 * i);
      }
      System.arraycopy(content, 0, data, 4 + lengthByteSize, content.length);
      assertThat(decompress(data, content.length)).isEqualTo(content);
    }
  }

  /// The content is that of copying byte by byte.
  @Test
  void repeatsContentAtEveryOffset() {
    for (int offset = 1; offset <= 20; offset++) {
      for (int length = 1; length <= 64; length++) {
        byte[] data = new byte[2 + offset + 3];
        byte[] content = new byte[offset + length];
        data[0] = (byte) content.length;
        data[1] = (byte) (offset - 1 << 2);
        for (int i = 0; i < content.length; i++) {
          content[i] = (byte) (i < offset ? i : content[i - offset]);
        }
        System.arraycopy(content, 0, data, 2, offset);
        data[2 + offset] = (byte) (length - 1 << 2 | 2);
        data[3 + offset] = (byte) offset;
        assertThat(decompress(data, content.length)).isEqualTo(content);
      }
    }
  }

  @Test
  void reportsTheLocationOfAnInvalidCopy() {
    assertThatThrownBy(() -> decompress(hex("07 08 616263 01 04"), 7))
        .hasMessage(
            "Expected a Snappy copy within the content but found offset 4 and length 4"
                + " at byte offset 7");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 0",
    "80, 0",
    "ffffffffff7f, 3",
    "04 08 616263, 3",
    "03 08 6162, 3",
    "03 0c 61626364, 3",
    "02 08 616263, 2",
    "07 08 616263 01 04, 7",
    "07 08 616263 01 00, 7",
    "07 08 616263 09, 7",
    "07 08 616263 0d 03, 7",
    "03 fc ffffffff 616263, 3",
    "07 08 616263 0f ffffffff, 7",
    "04 08 616263, 4"
  })
  void rejectsOtherData(String data, int byteSize) {
    assertThatThrownBy(() -> decompress(hex(data), byteSize))
        .isInstanceOf(MalformedInputException.class);
  }

  /// An access beyond the room would be an [IndexOutOfBoundsException].
  @Test
  void decodesOrRejectsAnyData() {
    Random random = new Random(2);
    for (int i = 0; i < 20_000; i++) {
      byte[] data = new byte[1 + random.nextInt(40)];
      random.nextBytes(data);
      int byteSize = random.nextInt(100);
      data[0] = (byte) byteSize;
      try {
        decompress(data, byteSize);
      } catch (MalformedInputException e) {
        assertThat(e).hasMessageStartingWith("Expected ");
      }
    }
  }
}
