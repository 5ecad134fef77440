package dev.quiver.formats.json;

import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.value.ValueParser;
import java.util.HashMap;
import java.util.Map;

/// The builders of a batch, and what they share: a parser for each type, and the count of slots
/// within lists. Used by one thread at a time.
final class JsonBuilders {

  /// The slots of the fields within lists from which on a batch ends after a record.
  private static final int SLOT_COUNT_FULL = 2_000_000;

  /// The slots of the fields within lists of one record: more than any record without absent keys
  /// has.
  private static final int SLOT_COUNT_MAXIMUM = 4 << 20;

  /// The same in a block that is read alone.
  private static final int SLOT_COUNT_MAXIMUM_ALONE = 10 << 20;

  private final Map<ArrowType, ValueParser> parsers = new HashMap<>();
  private long slotCount;
  private long slotCountLimit;

  /// Returns a builder of the arrays of a field.
  JsonBuilder of(Field field) {
    if (JsonTypes.isJson(field)) {
      return new JsonTextBuilder(field);
    }
    return switch (field.type()) {
      case ArrowType.Utf8() -> new JsonTextBuilder(field);
      case ArrowType.Binary() -> new JsonBinaryBuilder(field);
      case ArrowType.Bool() -> new JsonBooleanBuilder(field);
      case ArrowType.Struct() -> new JsonStructBuilder(field, this);
      case ArrowType.List() -> new JsonListBuilder(field, this);
      case ArrowType.Map _ -> new JsonMapBuilder(field, this);
      default -> new JsonFixedWidthBuilder(field, parser(field.type()));
    };
  }

  private ValueParser parser(ArrowType type) {
    return parsers.computeIfAbsent(
        type, _ -> ValueParser.of(type, '.', /* format= */ null, /* canonical= */ false));
  }

  /// Begins a batch.
  void reset() {
    slotCount = 0;
  }

  /// Begins a record of a block.
  void beginRecord(JsonBlock block) {
    slotCountLimit = slotCount + (block.isLarge() ? SLOT_COUNT_MAXIMUM_ALONE : SLOT_COUNT_MAXIMUM);
  }

  /// Counts the slots of an element of a list, before they take memory. Otherwise a few bytes of
  /// objects with different keys could state millions of nulls.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the record has too many
  void addItem(JsonTokens tokens, int slots) {
    slotCount += slots;
    if (slotCount > slotCountLimit) {
      throw tokens.tooManySlots();
    }
  }

  /// Returns whether the batch has so many slots within lists that it ends.
  boolean isFull() {
    return slotCount >= SLOT_COUNT_FULL;
  }
}
