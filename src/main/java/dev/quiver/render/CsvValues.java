package dev.quiver.render;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;

/// Slots as cells: with quotation marks where needed in a CSV file, and without on a page.
///
/// Cells of a CSV file follow RFC 4180: null is empty, and an empty text is `""`. Lists, maps,
/// structs and unions are JSON. All else is as in JSON, except NaN and the infinities, which are
/// `NaN`, `Infinity` and `-Infinity`.
final class CsvValues {

  private static final Literal EMPTY = Literal.of("\"\"");

  private final boolean quoted;
  private final JsonValues json;

  private CsvValues(boolean quoted, Numbers numbers) {
    this.quoted = quoted;
    this.json = new JsonValues(numbers, new JsonStrings(quoted ? "\"\"" : "\""));
  }

  /// Returns the form of cells in a CSV file.
  ///
  /// @param numbers the form of numbers within nested values
  static CsvValues quoted(Numbers numbers) {
    return new CsvValues(true, numbers);
  }

  /// Returns the form of cells on a page.
  static CsvValues plain() {
    return new CsvValues(false, Numbers.NUMBER);
  }

  /// Returns the writer of arrays of `field`.
  SlotWriter.OfField of(Field field) {
    return Nulls.handled(ofNonNull(field), Literal.NOTHING);
  }

  /// Returns the writer of the valid slots of arrays of `field`.
  SlotWriter.OfField ofNonNull(Field field) {
    if (field.dictionary() != null) {
      return IndirectValues.dictionary(of(field.withDictionary(null)), Literal.NOTHING);
    }
    return switch (field.type()) {
      case ArrowType.Null() -> _ -> (_, _) -> {};
      case ArrowType.Bool() -> Scalars::bool;
      case ArrowType.Int type -> array -> Scalars.integer(type, array);
      case ArrowType.Decimal type -> array -> Scalars.decimal(type, array);
      case ArrowType.FloatingPoint(var precision) ->
          array -> Scalars.floatingPoint(precision, Double::toString, array);
      case ArrowType.Date(var unit) -> array -> Scalars.date(unit, Literal.NOTHING, array);
      case ArrowType.Time(var unit, _) -> array -> Scalars.time(unit, Literal.NOTHING, array);
      case ArrowType.Timestamp type -> array -> Scalars.timestamp(type, Literal.NOTHING, array);
      case ArrowType.Duration(var unit) -> array -> Scalars.duration(unit, Literal.NOTHING, array);
      case ArrowType.Interval(var unit) -> array -> Scalars.interval(unit, array);
      case ArrowType.Binary(),
          ArrowType.LargeBinary(),
          ArrowType.BinaryView(),
          ArrowType.FixedSizeBinary _ ->
          this::binary;
      case ArrowType.Utf8(), ArrowType.LargeUtf8(), ArrowType.Utf8View() ->
          quoted ? CsvText::quoted : CsvText::plain;
      case ArrowType.List(),
          ArrowType.LargeList(),
          ArrowType.ListView(),
          ArrowType.LargeListView(),
          ArrowType.FixedSizeList _,
          ArrowType.Map _,
          ArrowType.Struct(),
          ArrowType.Union _ ->
          nested(field);
      case ArrowType.RunEndEncoded() -> IndirectValues.runs(of(field.children().getLast()));
    };
  }

  private SlotWriter.OfField nested(Field field) {
    SlotWriter.OfField values = json.of(field);
    return array -> {
      SlotWriter writer = values.of(array);
      return quoted
          ? (slot, output) -> {
            output.put('"');
            writer.write(slot, output);
            output.put('"');
          }
          : writer;
    };
  }

  private SlotWriter binary(ArrayData array) {
    SlotWriter base64 = Scalars.binary(Literal.NOTHING, array);
    if (!quoted) {
      return base64;
    }
    SlotBytes values = SlotBytes.of(array);
    return (slot, output) -> {
      values.seek(slot);
      if (values.isEmpty()) {
        output.put(EMPTY);
      } else {
        base64.write(slot, output);
      }
    };
  }
}
