package dev.quiver.formats.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.file.Encoding;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class BytesDecoderTest {

  private static final int BYTE_SIZE_MAXIMUM = 1 << 20;

  /// Reads values in parts of at most [BytesDecoder#countMaximum].
  private static List<String> decode(Page page, int count, long partByteSize) {
    BytesDecoder decoder = BytesDecoder.of(page);
    GrowingBytes bytes = new GrowingBytes(BYTE_SIZE_MAXIMUM, null);
    List<String> values = new ArrayList<>();
    while (values.size() < count) {
      int part = Math.min(decoder.countMaximum(partByteSize), count - values.size());
      int[] lengths = new int[part];
      int start = bytes.byteSize();
      decoder.read(bytes, lengths, part);
      for (int length : lengths) {
        values.add(new String(bytes.array(), start, length, StandardCharsets.ISO_8859_1));
        start += length;
      }
      assertThat(bytes.byteSize()).isEqualTo(start);
      if (values.size() % 3 == 0) {
        bytes.clear();
      }
    }
    return values;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] encode(Encoding encoding, List<String> values) {
    BitWriter writer = new BitWriter();
    long[] lengths = values.stream().mapToLong(String::length).toArray();
    switch (encoding) {
      case PLAIN -> values.forEach(value -> writer.bits(value.length(), 32).bytes(ascii(value)));
      case DELTA_LENGTH_BYTE_ARRAY ->
          writer.bytes(Pages.delta(128, 4, lengths)).bytes(ascii(String.join("", values)));
      default -> {
        long[] prefixes = new long[lengths.length];
        StringBuilder suffixes = new StringBuilder();
        for (int i = 0; i < prefixes.length; i++) {
          String last = i == 0 ? "" : values.get(i - 1);
          while (prefixes[i] < Math.min(last.length(), lengths[i])
              && last.charAt((int) prefixes[i]) == values.get(i).charAt((int) prefixes[i])) {
            prefixes[i]++;
          }
          lengths[i] -= prefixes[i];
          suffixes.append(values.get(i).substring((int) prefixes[i]));
        }
        writer
            .bytes(Pages.delta(128, 4, prefixes))
            .bytes(Pages.delta(128, 4, lengths))
            .bytes(ascii(suffixes.toString()));
      }
    }
    return writer.toBytes();
  }

  @ParameterizedTest
  @EnumSource(names = {"PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"})
  void decodesValuesInPartsOfAnySize(Encoding encoding) {
    Random random = new Random(1);
    List<String> values = new ArrayList<>();
    String last = "";
    for (int i = 0; i < 5_000; i++) {
      last = last.substring(0, random.nextInt(last.length() + 1));
      last += "abc".repeat(random.nextInt(i % 100 == 0 ? 50 : 5));
      last += (char) ('a' + random.nextInt(20));
      values.add(random.nextInt(10) == 0 ? "" : last);
    }
    byte[] data = encode(encoding, values);
    for (long partByteSize : new long[] {1, 100, Long.MAX_VALUE}) {
      assertThat(decode(Pages.of(encoding, values.size(), data), values.size(), partByteSize))
          .isEqualTo(values);
    }
  }

  /// Data that pyarrow wrote.
  @ParameterizedTest
  @CsvSource({
    "DELTA_LENGTH_BYTE_ARRAY, 'Hello,World,,Foobar,ABCDEF',"
        + "800104050a0904000000055b0000000000000000000000000000"
        + "48656c6c6f576f726c64466f6f626172414243444546",
    "DELTA_BYTE_ARRAY, 'axis,axle,,babble,babyhood,babyhood,baby',"
        + "8001040700070400000026740900000000000000000000000000"
        + "80010407080904000000334b5000000000000000000000000000"
        + "617869736c65626162626c6579686f6f64"
  })
  void decodesDataOfAnotherWriter(Encoding encoding, String values, String data) {
    List<String> expected = List.of(values.split(","));
    Page page = Pages.of(encoding, expected.size(), Pages.hex(data));
    assertThat(decode(page, expected.size(), Long.MAX_VALUE)).isEqualTo(expected);
  }

  @Test
  void limitsPartsByTheLengthsOfTheNextValues() {
    List<String> values = List.of("a", "x".repeat(900), "x".repeat(901), "b", "c");
    byte[] data = encode(Encoding.DELTA_BYTE_ARRAY, values);
    BytesDecoder decoder =
        BytesDecoder.of(Pages.of(Encoding.DELTA_BYTE_ARRAY, values.size() + 1, data));
    GrowingBytes bytes = new GrowingBytes(BYTE_SIZE_MAXIMUM, null);
    int[] lengths = new int[values.size()];
    assertThat(decoder.countMaximum(1)).isEqualTo(1);
    assertThat(decoder.countMaximum(500)).isEqualTo(2);
    assertThat(decoder.countMaximum(Long.MAX_VALUE)).isEqualTo(5);
    decoder.read(bytes, lengths, 2);
    assertThat(decoder.countMaximum(500)).isEqualTo(1);
    decoder.read(bytes, lengths, 3);
    assertThat(decoder.countMaximum(1)).isEqualTo(PageBlock.SLOTS_MAXIMUM);
    assertThat(bytes.byteSize()).isEqualTo(1 + 900 + 901 + 1 + 1);
  }

  @Test
  void reservesMemoryForTheValuesReadNotForTheirPage() {
    byte[] data = encode(Encoding.PLAIN, List.of("short", "x".repeat(100_000)));
    GrowingBytes bytes = new GrowingBytes(BYTE_SIZE_MAXIMUM, null);
    BytesDecoder.of(Pages.of(Encoding.PLAIN, 2, data)).read(bytes, new int[1], 1);
    assertThat(bytes.array()).hasSizeLessThan(2_000);
  }

  @ParameterizedTest
  @EnumSource
  void acceptsEmptyPagesOfNulls(Encoding encoding) {
    GrowingBytes bytes = new GrowingBytes(BYTE_SIZE_MAXIMUM, null);
    BytesDecoder decoder = BytesDecoder.of(Pages.of(encoding, 9, new byte[0]));
    decoder.read(bytes, new int[0], 0);
    assertThat(bytes.byteSize()).isZero();
    assertThatThrownBy(() -> decoder.read(bytes, new int[1], 1))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining("as many values");
  }

  @ParameterizedTest
  @CsvSource({
    "PLAIN, '', as many values",
    "PLAIN, 010000, as many values",
    "PLAIN, 02000000 61, within their page",
    "PLAIN, FFFFFFFF 61, within their page",
    "DELTA_LENGTH_BYTE_ARRAY, 8001 04 01 04 61, within their page",
    "DELTA_LENGTH_BYTE_ARRAY, 8001 04 01 01 61, within their page",
    "DELTA_LENGTH_BYTE_ARRAY, 8001 04 00 00, as many values",
    "DELTA_BYTE_ARRAY, 8001 04 01 02 8001 04 01 02 61, within their page",
    "DELTA_BYTE_ARRAY, 8001 04 01 00 8001 04 01 04 61, within their page",
    "DELTA_BYTE_ARRAY, 8001 04 01 01 8001 04 01 02 61, within their page",
    "DELTA_BYTE_ARRAY, 8001 04 01 00 8001 04 01 8080808080808080 02 61, within their page",
    "DELTA_BYTE_ARRAY, 8001 04 01 00 8001 04 00 00 61, as many values",
    "GROUP_VAR_INT, 01, found GROUP_VAR_INT"
  })
  void rejectsLengthsBeyondThePage(Encoding encoding, String data, String message) {
    Page page = Pages.of(encoding, 1, Pages.hex(data));
    assertThatThrownBy(() -> decode(page, 1, Long.MAX_VALUE))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining(message);
  }
}
