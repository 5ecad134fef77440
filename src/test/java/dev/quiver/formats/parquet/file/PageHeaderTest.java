package dev.quiver.formats.parquet.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.formats.ForeignDataException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageHeaderTest {

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  private static PageHeader read(String text) {
    byte[] bytes = hex("FF" + text);
    PageHeader header = new PageHeader();
    assertThat(header.read(bytes, 1, bytes.length)).isTrue();
    assertThat(header.byteSize()).isEqualTo(bytes.length - 1);
    return header;
  }

  @Test
  void readsHeadersOfAllKinds() {
    PageHeader data = read("15 00 15 14 15 12 15 01 1C 15 06 15 10 15 06 15 08 00 00");
    assertThat(data.kind()).isEqualTo(PageHeader.Kind.DATA);
    assertThat(data.uncompressedByteSize()).isEqualTo(10);
    assertThat(data.compressedByteSize()).isEqualTo(9);
    assertThat(data.checksum()).isEqualTo(-1);
    assertThat(data.valueCount()).isEqualTo(3);
    assertThat(data.encoding()).isEqualTo(Encoding.RLE_DICTIONARY);
    assertThat(data.definitionEncoding()).isEqualTo(Encoding.RLE);
    assertThat(data.repetitionEncoding()).isEqualTo(Encoding.BIT_PACKED);
    PageHeader dictionary = read("15 04 15 14 15 12 4C 15 06 15 00 11 00 00");
    assertThat(dictionary.kind()).isEqualTo(PageHeader.Kind.DICTIONARY);
    assertThat(dictionary.checksum()).isNull();
    assertThat(dictionary.valueCount()).isEqualTo(3);
    PageHeader second = read("15 06 15 14 15 12 5C 15 06 15 02 15 06 15 0A 15 04 15 06 12 00 00");
    assertThat(second.kind()).isEqualTo(PageHeader.Kind.DATA_V2);
    assertThat(second.encoding()).isEqualTo(Encoding.DELTA_BINARY_PACKED);
    assertThat(second.definitionByteSize()).isEqualTo(2);
    assertThat(second.repetitionByteSize()).isEqualTo(3);
    assertThat(second.isCompressed()).isFalse();
    assertThat(read("15 0E 15 14 15 12 00").isKnown()).isFalse();
  }

  @Test
  void forgetsThePreviousHeader() {
    byte[] first = hex("15 06 15 14 15 12 15 01 4C 15 06 15 02 15 06 15 0A 15 04 15 06 12 00 00");
    byte[] second = hex("15 06 15 14 15 12 5C 15 06 00 00");
    PageHeader header = new PageHeader();
    assertThat(header.read(first, 0, first.length)).isTrue();
    assertThat(header.read(second, 0, second.length)).isTrue();
    assertThat(header.checksum()).isNull();
    assertThat(header.encoding()).isNull();
    assertThat(header.definitionByteSize()).isZero();
    assertThat(header.repetitionByteSize()).isZero();
    assertThat(header.isCompressed()).isTrue();
  }

  @Test
  void headersMayEndAfterTheBytes() {
    byte[] bytes = hex("15 00 15 14 15 12 2C 15 06 15 10 15 06 15 08 00 00");
    for (int end = 0; end < bytes.length; end++) {
      assertThat(new PageHeader().read(bytes, 0, end)).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "00",
    "15 01 15 14 15 12 2C 15 06 00 00",
    "15 00 15 01 15 12 2C 15 06 00 00",
    "15 00 15 14 15 01 2C 15 06 00 00",
    "15 00 15 14 15 12 2C 15 01 00 00",
    "15 00 15 14 15 12 00",
    "15 06 15 14 15 12 5C 15 06 45 01 00 00",
    "15 06 15 14 15 12 5C 15 06 55 01 00 00",
    "15 06 15 14 15 12 5C 15 06 45 0A 15 0A 00 00",
    "15 06 15 12 15 14 5C 15 06 45 0A 15 0A 00 00",
    "15 06 15 14 15 14 5C 15 06 45 FEFFFFFF0F 15 FEFFFFFF0F 00 00"
  })
  void rejectsMissingAndInvalidSizes(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining("valid page headers");
  }
}
