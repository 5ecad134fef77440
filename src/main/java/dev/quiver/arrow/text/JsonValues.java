package dev.quiver.arrow.text;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Slots as JSON values. This class alone decides the form of each type.
///
/// Integers, floating-point numbers and decimals are numbers, booleans are booleans. Dates, times
/// and intervals are strings in ISO 8601, binary values strings in base64. A struct is an object, a
/// list an array, and a union an object of its selected member. A map with text as keys is an
/// object, in which a repeated key is repeated; any other map is an array of arrays of key and
/// value. Dictionary-encoded and run-end-encoded slots are the values that they refer to. UUIDs are
/// strings, texts of `arrow.json` are the JSON that they hold, and values of other extension types
/// are those of their storage. NaN and the infinities are null. A text or binary value that is cut
/// ends with `…` within its string.
///
/// The content of null slots, or below them, is never read.
final class JsonValues {

  private static final PreparedText NULL = PreparedText.of("null");

  private final TextOptions options;
  private final JsonStrings strings;
  private final PreparedText nullText;

  /// Whether all texts are strings, as names of members are.
  private final boolean isName;

  JsonValues(TextOptions options, JsonStrings strings) {
    this(options, strings, NULL, /* isName= */ false);
  }

  private JsonValues(
      TextOptions options, JsonStrings strings, PreparedText nullText, boolean isName) {
    this.options = options;
    this.strings = strings;
    this.nullText = nullText;
    this.isName = isName;
  }

  /// Returns the writer of arrays of `field`.
  SlotWriter.OfField of(Field field) {
    return values(field).orNull(nullText);
  }

  /// Returns a writer of an object for each slot of the children.
  ///
  /// @param fields the fields of the children, in order
  DelimitedFields members(List<Field> fields) {
    List<PreparedText> starts = new ArrayList<>(fields.size());
    for (String name : UniqueNames.distinct(fields)) {
      starts.add(joined(starts.isEmpty() ? "{" : ",", name));
    }
    List<SlotWriter.OfField> values = fields.stream().map(this::values).toList();
    return new DelimitedFields(
        starts, values, nullText, PreparedText.of(starts.isEmpty() ? "{}" : "}"));
  }

  private PreparedText joined(String before, String name) {
    byte[] string = strings.bytes(name);
    byte[] start = new byte[string.length + 2];
    start[0] = (byte) before.charAt(0);
    System.arraycopy(string, 0, start, 1, string.length);
    start[start.length - 1] = ':';
    return PreparedText.of(start);
  }

  private SlotWriter.OfField values(Field field) {
    if (field.dictionary() != null) {
      return IndirectValues.dictionary(of(field.withDictionary(null)), nullText);
    }
    return switch (field.type()) {
      case ArrowType.Null() -> _ -> (_, output) -> output.put(nullText);
      case ArrowType.Bool() -> Scalars::bool;
      case ArrowType.Int type ->
          number(type.bitWidth() == 64, array -> Scalars.integer(type, array));
      case ArrowType.Decimal type -> number(true, array -> Scalars.decimal(type, array));
      case ArrowType.FloatingPoint(var precision) ->
          array -> Scalars.floatingPoint(precision, _ -> "null", array);
      case ArrowType.Date(var unit) -> array -> Scalars.date(unit, strings.quote(), array);
      case ArrowType.Time(var unit, _) -> array -> Scalars.time(unit, strings.quote(), array);
      case ArrowType.Timestamp type -> array -> Scalars.timestamp(type, strings.quote(), array);
      case ArrowType.Duration(var unit) -> array -> Scalars.duration(unit, strings.quote(), array);
      case ArrowType.Interval(var unit) -> string(array -> Scalars.interval(unit, array));
      case ArrowType.Bytes _ when field.isUuid() -> array -> UuidText.of(strings.quote(), array);
      case ArrowType.Bytes _ ->
          array -> Scalars.binary(strings.quote(), SlotBytes.of(array, options.maxValueByteSize()));
      case ArrowType.Text _ -> {
        boolean isJson = field.isJson() && !isName;
        yield array -> {
          SlotBytes texts = SlotBytes.ofText(array, options.maxValueByteSize());
          return isJson ? EmbeddedJson.of(texts, strings) : strings.of(texts);
        };
      }
      case ArrowType.ListLike _ -> sequence('[', of(field.children().getFirst()), ']');
      case ArrowType.Map _ -> map(field.children().getFirst());
      case ArrowType.Struct() -> {
        DelimitedFields members = members(field.children());
        yield array -> members.of(array.children());
      }
      case ArrowType.Union type -> union(type, field.children());
      case ArrowType.RunEndEncoded() -> IndirectValues.runs(of(field.children().getLast()));
    };
  }

  /// @param inexact whether many readers would round the number
  private SlotWriter.OfField number(boolean inexact, SlotWriter.OfField digits) {
    return inexact && options.numbers() == JsonNumbers.STRING ? string(digits) : digits;
  }

  private SlotWriter.OfField string(SlotWriter.OfField content) {
    return array -> {
      SlotWriter writer = content.of(array);
      PreparedText quote = strings.quote();
      return (slot, output) -> {
        output.put(quote);
        writer.write(slot, output);
        output.put(quote);
      };
    };
  }

  private static SlotWriter.OfField sequence(char open, SlotWriter.OfField items, char close) {
    return array -> {
      Array.Lists lists = (Array.Lists) Array.of(array);
      SlotWriter writer = items.of(array.children().getFirst());
      return (slot, output) -> {
        long start = lists.start(slot);
        long end = lists.end(slot);
        output.put(open);
        for (long i = start; i < end; i++) {
          if (i > start) {
            output.put(',');
          }
          writer.write(i, output);
        }
        output.put(close);
      };
    };
  }

  private SlotWriter.OfField map(Field entries) {
    Field key = entries.children().getFirst();
    Field value = entries.children().getLast();
    return isText(key)
        ? sequence('{', member(key, value), '}')
        : sequence('[', pair(key, value).orNull(nullText), ']');
  }

  private static boolean isText(Field field) {
    return switch (field.type()) {
      case ArrowType.Text _ -> true;
      case ArrowType.RunEndEncoded() -> isText(field.children().getLast());
      default -> false;
    };
  }

  /// Returns a writer of entries as members of an object. A null key is invalid and becomes
  /// `"null"`, like the key of a null entry. Keys are never cut, since readers drop members whose
  /// names are equal.
  private SlotWriter.OfField member(Field key, Field value) {
    PreparedText nullKey = PreparedText.of(strings.bytes("null"));
    SlotWriter.OfField keys =
        new JsonValues(options.whole(), strings, nullKey, /* isName= */ true).of(key);
    SlotWriter.OfField values = of(value);
    return entries -> {
      SlotWriter keyWriter = keys.of(entries.children().getFirst());
      SlotWriter valueWriter = values.of(entries.children().getLast());
      BitmapReader validity = BitmapReader.validity(entries);
      return (slot, output) -> {
        boolean isNull = validity != null && !validity.get(slot);
        if (isNull) {
          output.put(nullKey);
        } else {
          keyWriter.write(slot, output);
        }
        output.put(':');
        if (isNull) {
          output.put(nullText);
        } else {
          valueWriter.write(slot, output);
        }
      };
    };
  }

  private SlotWriter.OfField pair(Field key, Field value) {
    SlotWriter.OfField keys = of(key);
    SlotWriter.OfField values = of(value);
    return entries -> {
      SlotWriter keyWriter = keys.of(entries.children().getFirst());
      SlotWriter valueWriter = values.of(entries.children().getLast());
      return (slot, output) -> {
        output.put('[');
        keyWriter.write(slot, output);
        output.put(',');
        valueWriter.write(slot, output);
        output.put(']');
      };
    };
  }

  private SlotWriter.OfField union(ArrowType.Union type, List<Field> children) {
    List<PreparedText> starts =
        UniqueNames.distinct(children).stream().map(n -> joined("{", n)).toList();
    List<SlotWriter.OfField> values = children.stream().map(this::of).toList();
    boolean sparse = type.mode() == UnionMode.SPARSE;
    return array -> {
      MemorySegment typeIds = array.buffer(BufferRole.TYPE_IDS);
      MemorySegment slotOffsets =
          sparse ? MemorySegment.NULL : array.buffer(BufferRole.SLOT_OFFSETS);
      SlotWriter[] byTypeId = new SlotWriter[Byte.MAX_VALUE + 1];
      for (int i = 0; i < starts.size(); i++) {
        byTypeId[type.typeIds().get(i)] =
            member(starts.get(i), values.get(i).of(array.children().get(i)));
      }
      return (slot, output) -> {
        long childSlot = sparse ? slot : LittleEndian.getInt32(slotOffsets, slot << 2);
        byTypeId[LittleEndian.getInt8(typeIds, slot)].write(childSlot, output);
      };
    };
  }

  private static SlotWriter member(PreparedText start, SlotWriter value) {
    return (slot, output) -> {
      output.put(start);
      value.write(slot, output);
      output.put('}');
    };
  }
}
