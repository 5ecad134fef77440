package dev.quiver.formats.parquet.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.file.LogicalType.Unit;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Footers byte by byte. Those of complete files are in the tests of the reader.
class FooterReaderTest {

  private static final Limit HEAP = new Limit("pages", 1 << 20);
  private static final int ELEMENT_COUNT = 100_000;

  private static FileMetadata read(String footer) {
    return FooterReader.read(HexFormat.of().parseHex(footer.replace(" ", "")), HEAP);
  }

  static Stream<Arguments> logicalTypes() {
    return Stream.of(
        Arguments.of("", new LogicalType.None()),
        Arguments.of("25 00", new LogicalType.Text()),
        Arguments.of("25 0A 15 04 15 0A", new LogicalType.Decimal(5, 2)),
        Arguments.of("25 10", new LogicalType.Time(Unit.MICROSECONDS)),
        Arguments.of("25 12", new LogicalType.Timestamp(Unit.MILLISECONDS, true)),
        Arguments.of("25 18", new LogicalType.Int(16, false)),
        Arguments.of("25 24", new LogicalType.Int(64, true)),
        Arguments.of("25 2A", new LogicalType.Interval()),
        Arguments.of("6C 4C 00 00", new LogicalType.Text()),
        Arguments.of("6C 5C 15 04 15 0A 00 00", new LogicalType.Decimal(5, 2)),
        Arguments.of("6C 7C 12 1C 1C 00 00 00 00", new LogicalType.Time(Unit.MILLISECONDS)),
        Arguments.of(
            "6C 8C 11 1C 3C 00 00 00 00", new LogicalType.Timestamp(Unit.NANOSECONDS, true)),
        Arguments.of("6C AC 13 20 12 00 00", new LogicalType.Int(32, false)),
        Arguments.of("6C FC 00 00", new LogicalType.Float16()),
        // An unknown member beside a known converted type.
        Arguments.of("25 0C 4C 0C 7E 00 00", new LogicalType.Date()));
  }

  /// @param fields the fields of a schema element after its name
  @ParameterizedTest
  @MethodSource("logicalTypes")
  void readsLogicalTypes(String fields, LogicalType expected) {
    FileMetadata metadata = read("29 1C 48 01 61 %s 00 00".formatted(fields));
    assertThat(metadata.schema().getFirst().logicalType()).isEqualTo(expected);
  }

  /// The third value is missing, the fourth one is not UTF-8, and the last one is a boolean.
  @Test
  void keepsAllKeysAndValuesInOrder() {
    FileMetadata metadata =
        read(
            "59 5C 18 01 61 18 01 62 00 18 01 61 18 01 63 00 18 01 64 00 18 01 65 18 01 FF 00"
                + " 18 01 66 11 00 00");
    assertThat(metadata.keyValues().entries())
        .containsExactly(
            KeyValue.of("a", "b"),
            KeyValue.of("a", "c"),
            KeyValue.of("d", ""),
            new KeyValue("e", ByteString.of(new byte[] {(byte) 0xFF})),
            KeyValue.of("f", ""));
  }

  /// @param dictionary the fields of a dictionary's position
  @ParameterizedTest
  @CsvSource({"'', 100", "26 00, 100", "26 B401, 90", "26 C801, 100", "26 DC01, 100"})
  void chunksBeginWithTheDictionaryIfItPrecedesTheData(String dictionary, long byteOffset) {
    FileMetadata metadata =
        read(
            "49 1C 19 1C 3C 15 02 35 0C 16 0A 16 64 16 50 26 C801 %s 00 00 26 02 00 00"
                .formatted(dictionary));
    assertThat(metadata.rowGroups().getFirst().columns())
        .containsExactly(
            new ColumnChunk(PhysicalType.INT32, CompressionCodec.ZSTD, 5, byteOffset, 40, 50));
  }

  /// Each element is a byte here, and larger in memory.
  @ParameterizedTest
  @CsvSource({"29, 1024", "49, 96", "59, 160"})
  void elementsAreChargedBeforeTheyAreRead(String field, int byteSize) {
    byte[] footer = new byte[5 + ELEMENT_COUNT];
    footer[0] = HexFormat.of().parseHex(field)[0];
    footer[1] = (byte) 0xFC;
    footer[2] = (byte) (ELEMENT_COUNT | 0x80);
    footer[3] = (byte) (ELEMENT_COUNT >> 7 | 0x80);
    footer[4] = (byte) (ELEMENT_COUNT >> 14);
    long needed = 2L * footer.length + (long) byteSize * ELEMENT_COUNT;
    assertThatThrownBy(() -> FooterReader.read(footer, new Limit("pages", needed - 1)))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("bytes of the footer of a Parquet file (pages)");
    // The bytes are not elements.
    assertThatCode(() -> FooterReader.read(footer, new Limit("pages", needed)))
        .isNotInstanceOf(TooLargeInputException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "29 1C 15 02 00 00, a name and a repetition of each column",
    "29 1C 35 06 18 01 61 00 00, a name and a repetition of each column",
    "29 1C 15 10 38 01 61 00 00, physical types of 0 to 7 but found 8",
    "49 1C 00 00, the number of rows of each row group",
    "49 1C 36 01 00 00, the number of rows of each row group",
    "49 1C 19 1C 3C 15 02 00 00 26 02 00 00, the pages of each column",
    "49 1C 19 1C 18 01 61 00 26 02 00 00, one that refers to others",
    "49 1C 19 1C 3C 15 02 35 06 00 00 26 02 00 00, zstd but found LZO",
    "49 1C 19 1C 3C 15 02 35 10 00 00 26 02 00 00, zstd but found number 8",
    "49 1C 19 1C 8C 00 00 26 02 00 00, without encryption",
    "49 1C 19 1C 98 01 61 00 26 02 00 00, without encryption",
    "29 1C 48 01 61 6C 8C 11 1C 4C 00 00 00 00 00 00, a known unit of each time",
    "8C 00 00, without encryption",
    "29, a whole footer"
  })
  void rejectsInvalidMetadata(String footer, String message) {
    assertThatThrownBy(() -> read(footer))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining(message);
  }
}
