package dev.quiver.formats.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.file.Encoding;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LevelDecoderTest {

  private static int reset(
      LevelDecoder decoder, @Nullable Encoding encoding, int count, String data) {
    Page page = Pages.of(Encoding.PLAIN, count, Pages.hex(data));
    return decoder.resetInPage(page.content(), page.start(), page.end(), encoding, count)
        - page.start();
  }

  @Test
  void decodesLevelsAfterTheirSize() {
    LevelDecoder decoder = new LevelDecoder(2);
    assertThat(reset(decoder, Encoding.RLE, 4, "04000000 0402 0401 FFFF")).isEqualTo(8);
    int[] levels = new int[4];
    decoder.read(levels, 4);
    assertThat(levels).containsExactly(2, 2, 1, 1);
  }

  @Test
  void decodesBitPackedLevelsFromTheMostSignificantBit() {
    LevelDecoder decoder = new LevelDecoder(5);
    assertThat(reset(decoder, Encoding.BIT_PACKED, 5, "29CA FFFF")).isEqualTo(2);
    int[] levels = new int[5];
    decoder.read(levels, 3);
    assertThat(levels).startsWith(1, 2, 3);
    decoder.read(levels, 2);
    assertThat(levels).startsWith(4, 5);
  }

  @Test
  void decodesBitPackedLevelsAsBits() {
    LevelDecoder decoder = new LevelDecoder(1);
    assertThat(reset(decoder, Encoding.BIT_PACKED, 12, "A0F0")).isEqualTo(2);
    long[] words = new long[1];
    decoder.readBits(words, 3);
    assertThat(words[0]).isEqualTo(0b101);
    words[0] = 0;
    decoder.readBits(words, 9);
    assertThat(words[0]).isEqualTo(0b1_1110_0000);
  }

  @Test
  void rejectsLevelsAboveTheMaximum() {
    LevelDecoder decoder = new LevelDecoder(2);
    reset(decoder, Encoding.RLE, 2, "02000000 0403");
    assertThatThrownBy(() -> decoder.read(new int[2], 2))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining("levels of at most 2");
  }

  @ParameterizedTest
  @CsvSource({
    "RLE, 2, 000000, levels within their page",
    "RLE, 2, 03000000 0401, levels within their page",
    "RLE, 2, FFFFFFFF 0401, levels within their page",
    "BIT_PACKED, 9, 00, levels within their page",
    "BIT_PACKED, 2147483647, 00, levels within their page",
    "PLAIN, 2, 02000000 0401, found PLAIN",
    ", 2, 02000000 0401, found an unknown one"
  })
  void rejectsSizesAndEncodings(
      @Nullable Encoding encoding, int count, String data, String message) {
    assertThatThrownBy(() -> reset(new LevelDecoder(1), encoding, count, data))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining(message);
  }
}
