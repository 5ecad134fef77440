package dev.quiver.render;

import dev.quiver.columnar.Array;
import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;
import dev.quiver.memory.LittleEndian;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/// Slots as cells: of a CSV file, with quotation marks where needed, or for people, without.
///
/// Cells of a CSV file follow RFC 4180: null is empty, and an empty text `""`. Lists, maps, structs
/// and unions are JSON. All else is as in JSON, but not a number and infinities, which are `NaN`,
/// `Infinity` and `-Infinity`.
final class CsvValues {

  private static final int CHUNK_BYTE_SIZE = 4 << 10;
  private static final byte[] NOTHING = {};
  private static final byte[] EMPTY = TextOutput.ascii("\"\"");

  private final boolean quoted;
  private final JsonValues json;
  private final byte[] chunk = new byte[CHUNK_BYTE_SIZE];

  private CsvValues(boolean quoted, Numbers numbers) {
    this.quoted = quoted;
    this.json = new JsonValues(numbers, new JsonStrings(quoted ? "\"\"" : "\""));
  }

  /// Cells of a CSV file.
  ///
  /// @param numbers within nested values
  static CsvValues quoted(Numbers numbers) {
    return new CsvValues(true, numbers);
  }

  /// Cells for people.
  static CsvValues plain() {
    return new CsvValues(false, Numbers.NUMBER);
  }

  /// How arrays of `field` are written.
  SlotWriter.OfField of(Field field) {
    return Nulls.handled(values(field), NOTHING);
  }

  private SlotWriter.OfField values(Field field) {
    if (field.dictionary() != null) {
      return Encoded.dictionary(of(field.withDictionary(null)), NOTHING);
    }
    return switch (field.type()) {
      case ArrowType.Null() -> _ -> (_, _) -> {};
      case ArrowType.Bool() -> Scalars::bool;
      case ArrowType.Int type -> array -> Scalars.integer(type, array);
      case ArrowType.Decimal type -> array -> Scalars.decimal(type, array);
      case ArrowType.FloatingPoint(var precision) ->
          array -> Scalars.floatingPoint(precision, Double::toString, array);
      case ArrowType.Date(var unit) -> array -> Scalars.date(unit, array);
      case ArrowType.Time(var unit, _) -> array -> Scalars.time(unit, array);
      case ArrowType.Timestamp type -> array -> Scalars.timestamp(type, array);
      case ArrowType.Duration(var unit) -> array -> Scalars.duration(unit, array);
      case ArrowType.Interval(var unit) -> array -> Scalars.interval(unit, array);
      case ArrowType.Binary(),
          ArrowType.LargeBinary(),
          ArrowType.BinaryView(),
          ArrowType.FixedSizeBinary _ ->
          this::binary;
      case ArrowType.Utf8(), ArrowType.LargeUtf8(), ArrowType.Utf8View() -> this::text;
      case ArrowType.List(),
          ArrowType.LargeList(),
          ArrowType.ListView(),
          ArrowType.LargeListView(),
          ArrowType.FixedSizeList _,
          ArrowType.Map _,
          ArrowType.Struct(),
          ArrowType.Union _ ->
          nested(field);
      case ArrowType.RunEndEncoded() -> Encoded.runs(of(field.children().getLast()));
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
    Array.Bytes values = (Array.Bytes) Array.of(array);
    return (slot, output) -> {
      MemorySegment bytes = values.bytes(slot);
      if (quoted && bytes.byteSize() == 0) {
        output.put(EMPTY);
      }
      output.putBase64(bytes);
    };
  }

  private SlotWriter text(ArrayData array) {
    Array.Bytes values = (Array.Bytes) Array.of(array);
    return (slot, output) -> text(values.bytes(slot), output);
  }

  /// Writes the name of a column.
  void name(String name, TextOutput output) throws IOException {
    text(MemorySegment.ofArray(name.getBytes(StandardCharsets.UTF_8)), output);
  }

  private void text(MemorySegment utf8, TextOutput output) throws IOException {
    boolean marked = quoted && needsMarks(utf8);
    if (marked) {
      output.put('"');
    }
    for (long offset = 0; offset < utf8.byteSize(); offset += chunk.length) {
      int count = read(utf8, offset);
      int start = 0;
      for (int i = 0; marked && i < count; i++) {
        if (chunk[i] == '"') {
          // Up to the mark with it, and once more from it on.
          output.put(chunk, start, i + 1 - start);
          start = i;
        }
      }
      output.put(chunk, start, count - start);
    }
    if (marked) {
      output.put('"');
    }
  }

  /// Whether a cell needs quotation marks: when it is empty, holds what ends cells or rows, or
  /// starts or ends with what readers may strip.
  private boolean needsMarks(MemorySegment utf8) {
    if (utf8.byteSize() == 0 || isBlank(utf8, 0) || isBlank(utf8, utf8.byteSize() - 1)) {
      return true;
    }
    for (long offset = 0; offset < utf8.byteSize(); offset += chunk.length) {
      int count = read(utf8, offset);
      for (int i = 0; i < count; i++) {
        byte c = chunk[i];
        if (c == ',' || c == '"' || c == '\n' || c == '\r') {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isBlank(MemorySegment utf8, long offset) {
    byte c = LittleEndian.getInt8(utf8, offset);
    return c == ' ' || c == '\t';
  }

  private int read(MemorySegment utf8, long offset) {
    int count = (int) Math.min(utf8.byteSize() - offset, chunk.length);
    MemorySegment.copy(utf8, LittleEndian.INT8, offset, chunk, 0, count);
    return count;
  }
}
