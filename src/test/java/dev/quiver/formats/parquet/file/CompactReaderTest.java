package dev.quiver.formats.parquet.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.formats.ForeignDataException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompactReaderTest {

  /// One field of every type, the last one of each kind of collection.
  private static final String ALL =
      "11 12 13 80 14 02 15 03 16 01 17 0000000000000000 18 02 6162"
          + " 19 22 0102 1A F5 01 04 1B 00 1B 01 85 01 61 06 1C 11 00"
          + " 1D 000102030405060708090A0B0C0D0E0F 00";

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  private static CompactReader reader(byte[] bytes) {
    return new CompactReader(bytes, 0, bytes.length);
  }

  private static void skipAll(byte[] bytes) {
    reader(bytes).readStruct((_, _) -> {});
  }

  @Test
  void readsValues() {
    List<Object> values = new ArrayList<>();
    CompactReader reader = reader(hex("11 12 13 80 25 03 06 C801 01 18 02 6162 1C 11 00 00 FF"));
    reader.readStruct((id, value) -> {
      values.add(id);
      switch (id) {
        case 1, 2 -> values.add(value.bool());
        case 3 -> values.add(value.int8());
        case 5 -> values.add(value.int32());
        case 100 -> values.add(value.int64());
        case 101 -> values.add(value.text());
        default -> value.struct((inner, field) -> values.add(inner + "=" + field.bool()));
      }
    });
    assertThat(values)
        .containsExactly(1, true, 2, false, 3, -128, 5, -2, 100, -1L, 101, "ab", 102, "1=true");
    assertThat(reader.position()).isEqualTo(18);
  }

  @Test
  void skipsValuesOfAllTypes() {
    byte[] bytes = hex(ALL);
    CompactReader reader = reader(bytes);
    List<Integer> ids = new ArrayList<>();
    reader.readStruct((id, _) -> ids.add(id));
    assertThat(ids).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    assertThat(reader.position()).isEqualTo(bytes.length);
  }

  @Test
  void reportsTruncationAtEveryByte() {
    byte[] bytes = hex(ALL);
    for (int length = 0; length < bytes.length; length++) {
      byte[] truncated = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> skipAll(truncated))
          .as("%d bytes", length)
          .isInstanceOf(CompactReader.TruncatedException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"19, 9", "1C, 12", "1A, 10"})
  void limitsTheDepthOfSkippedValues(String nested, int type) {
    byte[] bytes = new byte[100_000];
    Arrays.fill(bytes, hex(nested)[0]);
    bytes[0] = (byte) (0x10 | type);
    assertThatThrownBy(() -> skipAll(bytes))
        .isInstanceOf(ForeignDataException.class)
        .hasMessage("Expected Parquet metadata with at most 24 levels but found other bytes");
  }

  @ParameterizedTest
  @CsvSource({
    "1E 00, a known type",
    "18 FFFFFFFF0F 00, a size of 31 bits",
    "18 FFFFFFFFFFFFFFFFFF01 00, a size of 31 bits",
    "16 FFFFFFFFFFFFFFFFFFFF01 00, a number of 64 bits",
    "19 10 00, a known type"
  })
  void rejectsUnknownTypesAndLargeNumbers(String data, String message) {
    assertThatThrownBy(() -> skipAll(hex(data)))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource({
    "16 02 00, a field of Thrift type 5",
    "15 8080808010 00, a number of 32 bits",
    "11 00, a field of Thrift type 5"
  })
  void rejectsFieldsOfAnotherType(String data, String message) {
    assertThatThrownBy(() -> reader(hex(data)).readStruct((_, value) -> value.int32()))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining(message);
  }

  @Test
  void rejectsListsOfOtherElements() {
    CompactReader reader = reader(hex("19 15 02 00"));
    assertThatThrownBy(() ->
            reader.readStruct((_, value) ->
                value.list(
                    _ -> {},
                    () -> {
                      reader.readStruct((_, _) -> {});
                      return 0;
                    })))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining("a list of structs");
  }
}
