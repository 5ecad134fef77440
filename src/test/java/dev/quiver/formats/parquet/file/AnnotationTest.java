package dev.quiver.formats.parquet.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.file.LogicalType.Unit;
import dev.quiver.formats.parquet.file.SchemaElement.Repetition;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class AnnotationTest {

  private static final ColumnPath PATH = new ColumnPath(null, "a");
  private static final Set<PhysicalType> BYTES =
      EnumSet.of(PhysicalType.BYTE_ARRAY, PhysicalType.FIXED_LEN_BYTE_ARRAY);

  private static SchemaElement element(
      LogicalType logical, @Nullable PhysicalType type, int length) {
    return new SchemaElement("a", type, length, Repetition.OPTIONAL, 0, logical);
  }

  /// Returns logical types with the physical types that the format allows, as Arrow C++ does but
  /// for bytes of a fixed length.
  static Stream<Arguments> types() {
    Set<PhysicalType> int32 = EnumSet.of(PhysicalType.INT32);
    Set<PhysicalType> int64 = EnumSet.of(PhysicalType.INT64);
    Set<PhysicalType> bytes = EnumSet.of(PhysicalType.BYTE_ARRAY);
    Set<PhysicalType> fixed = EnumSet.of(PhysicalType.FIXED_LEN_BYTE_ARRAY);
    Set<PhysicalType> decimals = EnumSet.of(PhysicalType.INT32, PhysicalType.INT64);
    decimals.addAll(BYTES);
    return Stream.of(
        Arguments.of(new LogicalType.None(), EnumSet.allOf(PhysicalType.class), 5),
        Arguments.of(new LogicalType.Text(), BYTES, 5),
        Arguments.of(new LogicalType.Json(), BYTES, 5),
        Arguments.of(new LogicalType.Bson(), BYTES, 5),
        Arguments.of(new LogicalType.Geometry(null), bytes, 5),
        Arguments.of(new LogicalType.Geography("EPSG:4326"), bytes, 5),
        Arguments.of(new LogicalType.Uuid(), fixed, 16),
        Arguments.of(new LogicalType.Float16(), fixed, 2),
        Arguments.of(new LogicalType.Interval(), fixed, 12),
        Arguments.of(new LogicalType.Date(), int32, 5),
        Arguments.of(new LogicalType.Time(Unit.MILLISECONDS), int32, 5),
        Arguments.of(new LogicalType.Time(Unit.MICROSECONDS), int64, 5),
        Arguments.of(new LogicalType.Time(Unit.NANOSECONDS), int64, 5),
        Arguments.of(new LogicalType.Timestamp(Unit.MILLISECONDS, true), int64, 5),
        Arguments.of(new LogicalType.Timestamp(Unit.NANOSECONDS, false), int64, 5),
        Arguments.of(new LogicalType.Int(8, true), int32, 5),
        Arguments.of(new LogicalType.Int(16, false), int32, 5),
        Arguments.of(new LogicalType.Int(32, false), int32, 5),
        Arguments.of(new LogicalType.Int(64, false), int64, 5),
        Arguments.of(new LogicalType.Decimal(5, 2), decimals, 5),
        Arguments.of(new LogicalType.List(), Set.of(), 5),
        Arguments.of(new LogicalType.Map(), Set.of(), 5),
        Arguments.of(new LogicalType.Variant(), Set.of(), 5));
  }

  /// @param types of leaves that may have the logical type; groups may if it is empty
  /// @param length of a value with a fixed length
  @ParameterizedTest
  @MethodSource("types")
  void annotatesTheTypesOfTheFormat(LogicalType logical, Set<PhysicalType> types, int length) {
    for (PhysicalType type : PhysicalType.values()) {
      SchemaElement element = element(logical, type, length);
      if (types.contains(type)) {
        Annotation.require(element, /* isGroup= */ false, PATH);
      } else {
        assertThatThrownBy(() -> Annotation.require(element, /* isGroup= */ false, PATH))
            .isInstanceOf(ForeignDataException.class)
            .hasMessageStartingWith("Expected ")
            .hasMessageContaining("but found " + type)
            .hasMessageEndingWith("in column a");
      }
    }
    SchemaElement group = element(logical, null, 0);
    if (types.isEmpty() || logical instanceof LogicalType.None) {
      Annotation.require(group, /* isGroup= */ true, PATH);
    } else {
      assertThatThrownBy(() -> Annotation.require(group, /* isGroup= */ true, PATH))
          .hasMessageContaining("but found a group");
    }
  }

  @Test
  void lengthsAndWidthsAreThoseOfTheFormat() {
    assertThatThrownBy(() ->
            Annotation.require(
                element(new LogicalType.Uuid(), PhysicalType.FIXED_LEN_BYTE_ARRAY, 15),
                /* isGroup= */ false,
                PATH))
        .hasMessage(
            "Expected FIXED_LEN_BYTE_ARRAY of 16 bytes for the annotation UUID but found"
                + " FIXED_LEN_BYTE_ARRAY of 15 bytes in column a");
    assertThatThrownBy(() ->
            Annotation.require(
                element(new LogicalType.Int(24, true), PhysicalType.INT32, 0),
                /* isGroup= */ false,
                PATH))
        .hasMessage("Expected integers of 8, 16, 32 or 64 bits but found 24 bits in column a");
  }

  @Test
  void typesThatArrowLacksAreDescribed() {
    assertThat(Annotation.lost(new LogicalType.Geometry(null)))
        .isEqualTo("is a GEOMETRY with the reference system OGC:CRS84, stored as binary");
    assertThat(Annotation.lost(new LogicalType.Geography("EPSG:4326")))
        .isEqualTo("is a GEOGRAPHY with the reference system EPSG:4326, stored as binary");
    assertThat(Annotation.lost(new LogicalType.Bson())).isEqualTo("is BSON, stored as binary");
    assertThat(Annotation.lost(new LogicalType.Variant()))
        .isEqualTo("is a VARIANT, stored as a struct of its binary parts");
    assertThat(Annotation.lost(new LogicalType.Json())).isNull();
  }
}
