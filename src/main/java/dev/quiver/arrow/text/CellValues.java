package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;

/// Slots as cells of a file or a page.
///
/// Lists, maps, structs and unions are JSON, and [CellStyle] decides how text is written, that of
/// `arrow.json` included. All else is as in JSON, except NaN and the infinities, which are `NaN`,
/// `Infinity` and `-Infinity`.
final class CellValues {

  private final CellStyle style;
  private final TextOptions options;
  private final JsonValues json;

  CellValues(CellStyle style, TextOptions options) {
    this.style = style;
    this.options = options;
    this.json = new JsonValues(options, style.jsonStrings());
  }

  /// Returns the writer of arrays of `field`.
  SlotWriter.OfField of(Field field) {
    return ofNonNull(field).orNull(style.nullText());
  }

  /// Returns the writer of the valid slots of arrays of `field`.
  SlotWriter.OfField ofNonNull(Field field) {
    if (field.dictionary() != null) {
      return IndirectValues.dictionary(of(field.withDictionary(null)), style.nullText());
    }
    return switch (field.type()) {
      case ArrowType.Null() -> _ -> (_, output) -> output.put(style.nullText());
      case ArrowType.Bool() -> Scalars::bool;
      case ArrowType.Int type -> array -> Scalars.integer(type, array);
      case ArrowType.Decimal type -> array -> Scalars.decimal(type, array);
      case ArrowType.FloatingPoint(var precision) ->
          array -> Scalars.floatingPoint(precision, Double::toString, array);
      case ArrowType.Date(var unit) -> array -> Scalars.date(unit, PreparedText.NOTHING, array);
      case ArrowType.Time(var unit, _) -> array -> Scalars.time(unit, PreparedText.NOTHING, array);
      case ArrowType.Timestamp type ->
          array -> Scalars.timestamp(type, PreparedText.NOTHING, array);
      case ArrowType.Duration(var unit) ->
          array -> Scalars.duration(unit, PreparedText.NOTHING, array);
      case ArrowType.Interval(var unit) -> array -> Scalars.interval(unit, array);
      case ArrowType.Bytes _ when field.isUuid() ->
          array -> UuidText.of(PreparedText.NOTHING, array);
      case ArrowType.Bytes _ -> this::binary;
      case ArrowType.Text _ ->
          array -> style.text(SlotBytes.ofText(array, options.maxValueByteSize()));
      case ArrowType.Nested _ -> nested(field);
      case ArrowType.RunEndEncoded() -> IndirectValues.runs(of(field.children().getLast()));
    };
  }

  private SlotWriter.OfField nested(Field field) {
    SlotWriter.OfField values = json.of(field);
    return array -> {
      SlotWriter writer = values.of(array);
      return (slot, output) -> {
        output.put(style.jsonQuote());
        writer.write(slot, output);
        output.put(style.jsonQuote());
      };
    };
  }

  private SlotWriter binary(ArrayData array) {
    SlotBytes values = SlotBytes.of(array, options.maxValueByteSize());
    SlotWriter base64 = style.base64(values);
    return (slot, output) -> {
      values.seek(slot);
      if (values.isEmpty()) {
        output.put(style.empty());
      } else {
        base64.write(slot, output);
      }
    };
  }
}
