package dev.quiver.formats.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.file.Encoding;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BooleanDecoderTest {

  /// The same values as bits, and as pyarrow wrote them in runs: 20 times true, five times false
  /// and true, 30 times false.
  @ParameterizedTest
  @CsvSource({"PLAIN, ffffaf2a 00000000", "RLE, 07000000 2801 05aa02 3000"})
  void decodesValuesAsBits(Encoding encoding, String data) {
    BooleanDecoder decoder = BooleanDecoder.of(Pages.of(encoding, 60, Pages.hex(data)));
    long bits = 0b10_1010_1010L << 20 | 0xF_FFFF;
    for (int i = 0; i < 60; i += 20) {
      long[] words = new long[1];
      decoder.read(words, 20);
      assertThat(words[0]).isEqualTo(bits >>> i & 0xF_FFFF);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "PLAIN, ff, as many values",
    "RLE, 0300, within their page",
    "RLE, 03000000 1201, within their page",
    "RLE, 02000000 0401, as many levels",
    "DELTA_BINARY_PACKED, 8001, found DELTA_BINARY_PACKED"
  })
  void rejectsMissingValuesAndOtherEncodings(Encoding encoding, String data, String message) {
    Page page = Pages.of(encoding, 9, Pages.hex(data));
    assertThatThrownBy(() -> BooleanDecoder.of(page).read(new long[1], 9))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining(message);
  }
}
