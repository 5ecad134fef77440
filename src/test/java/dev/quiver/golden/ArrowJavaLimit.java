package dev.quiver.golden;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.UnionMode;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A valid construct that Arrow Java 19 cannot read.
///
/// @param reason the fault of Arrow Java
/// @param concerns whether a field has the construct, regardless of its children
/// @param example a minimal field with the construct
record ArrowJavaLimit(String reason, Predicate<Field> concerns, Field example) {

  private static final ArrowType UINT8 = new ArrowType.Int(8, false);

  static final List<ArrowJavaLimit> ALL =
      List.of(
          new ArrowJavaLimit(
              "decimals of 32 and 64 bits are read as decimals of 128",
              field -> field.type() instanceof ArrowType.Decimal type && type.bitWidth() < 128,
              field(new ArrowType.Decimal(9, 2, 32))),
          new ArrowJavaLimit(
              "fixed-size binary of no bytes causes a division by zero",
              field -> field.type().equals(new ArrowType.FixedSizeBinary(0)),
              field(new ArrowType.FixedSizeBinary(0))),
          new ArrowJavaLimit(
              "children of a dense union are expected in the order of their type ids",
              field ->
                  field.type() instanceof ArrowType.Union(UnionMode mode, List<Integer> typeIds)
                      && mode == UnionMode.DENSE
                      && !typeIds.equals(typeIds.stream().sorted().toList()),
              field(
                  new ArrowType.Union(UnionMode.DENSE, List.of(7, 3)),
                  field(UINT8),
                  field(new ArrowType.Utf8()))),
          new ArrowJavaLimit(
              "a union in a fixed-size list is expected without type ids",
              field ->
                  field.type() instanceof ArrowType.FixedSizeList
                      && field.children().getFirst().type() instanceof ArrowType.Union
                      && field.children().getFirst().dictionary() == null,
              field(
                  new ArrowType.FixedSizeList(1),
                  field(new ArrowType.Union(UnionMode.SPARSE, List.of(0)), field(UINT8)))),
          new ArrowJavaLimit(
              "children of a struct that share a name are merged",
              field ->
                  field.type() instanceof ArrowType.Struct
                      && field.children().stream().map(Field::name).distinct().count()
                          < field.children().size(),
              field(
                  new ArrowType.Struct(),
                  field(UINT8),
                  field(new ArrowType.FloatingPoint(Precision.DOUBLE)))));

  /// Returns why Arrow Java cannot read the field, or null if it can.
  static @Nullable String reason(Field field) {
    Optional<String> own =
        ALL.stream()
            .filter(limit -> limit.concerns.test(field))
            .map(ArrowJavaLimit::reason)
            .findFirst();
    if (own.isPresent()) {
      return own.get();
    }
    for (Field child : field.children()) {
      String reason = reason(child);
      if (reason != null) {
        return reason;
      }
    }
    return null;
  }

  /// Returns whether Arrow Java can write the field after reading it. It copies dictionaries, which
  /// fails for nested vectors and sometimes crashes the virtual machine.
  static boolean writes(Field field) {
    return (field.dictionary() == null || field.children().isEmpty())
        && field.children().stream().allMatch(ArrowJavaLimit::writes);
  }

  private static Field field(ArrowType type, Field... children) {
    return Field.of("f", true, type, children);
  }

  @Override
  public String toString() {
    return reason;
  }
}
