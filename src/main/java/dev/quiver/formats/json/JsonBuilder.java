package dev.quiver.formats.json;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.json.JsonErrors.InvalidValueException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.core.JsonToken;

/// An array that grows by a value at a time. Used by one thread at a time.
abstract class JsonBuilder {

  static final int CAPACITY_MINIMUM = 8;

  /// The bytes beyond which the memory of a large record is given back.
  static final int BYTE_SIZE_KEPT = 4 << 20;

  final Field field;

  /// The slots that the array has.
  int length;

  private long nullCount;

  /// A bit for each null.
  private long[] nullBits = {};

  JsonBuilder(Field field) {
    this.field = field;
  }

  /// Returns the number of fields, with those within it.
  static int fieldCount(Field field) {
    int count = 1;
    for (Field child : field.children()) {
      count += fieldCount(child);
    }
    return count;
  }

  /// Returns the slots that an element of a list takes, without the elements of lists within it.
  static int slotCount(Field item) {
    int count = 1;
    if (item.type() instanceof ArrowType.Struct) {
      for (Field child : item.children()) {
        count += slotCount(child);
      }
    }
    return count;
  }

  /// Begins a new array.
  void reset() {
    Arrays.fill(nullBits, 0);
    nullCount = 0;
    length = 0;
  }

  /// Adds the value that begins with a token.
  ///
  /// @throws InvalidValueException if the type does not hold it
  final void add(JsonTokens tokens, JsonToken token) {
    if (token == JsonToken.VALUE_NULL) {
      addNull();
    } else {
      addValue(tokens, token);
      length++;
    }
  }

  final void addNull() {
    int word = length >> 6;
    if (word >= nullBits.length) {
      nullBits = Arrays.copyOf(nullBits, Math.max(1, 2 * word));
    }
    nullBits[word] |= 1L << length;
    nullCount++;
    addEmpty();
    length++;
  }

  /// Adds nulls until there are as many slots.
  final void addNulls(int slots) {
    while (length < slots) {
      addNull();
    }
  }

  /// Adds a value, before the slot is counted.
  abstract void addValue(JsonTokens tokens, JsonToken token);

  /// Adds what a null has in the buffers after the validity.
  abstract void addEmpty();

  /// Returns the buffers after the validity.
  abstract List<MemorySegment> buffers(SegmentAllocator allocator);

  /// Returns the arrays of the children.
  List<ArrayData> children(SegmentAllocator allocator) {
    return List.of();
  }

  /// Returns the array of all slots.
  final ArrayData build(SegmentAllocator allocator) {
    List<MemorySegment> buffers = new ArrayList<>(buffers(allocator));
    buffers.addFirst(validity(allocator));
    return new ArrayData(field, length, nullCount, buffers, children(allocator), null);
  }

  private MemorySegment validity(SegmentAllocator allocator) {
    if (nullCount == 0) {
      return MemorySegment.NULL;
    }
    MemorySegment validity =
        allocator.allocate(Bitmaps.byteSize(length), Long.BYTES).fill((byte) 0);
    for (int i = 0; i < length; i++) {
      int word = i >> 6;
      if (word >= nullBits.length || (nullBits[word] >>> i & 1) == 0) {
        Bitmaps.set(validity, i);
      }
    }
    return validity;
  }

  /// Reads a scalar, whose text the tokens have then.
  ///
  /// @throws InvalidValueException if the value is an object or an array
  final void readScalar(JsonTokens tokens, JsonToken token) {
    if (token.isStructStart()) {
      throw new InvalidValueException(
          tokens.offset() - 1, describeType(), token == JsonToken.START_OBJECT ? "{" : "[");
    }
    tokens.readScalar(token);
  }

  /// Returns the exception for the scalar that was read last.
  final InvalidValueException invalid(JsonTokens tokens) {
    String value =
        new String(
            tokens.text,
            tokens.start,
            Math.min(tokens.end - tokens.start, 4 * ForeignDataException.VALUE_LENGTH_MAXIMUM),
            StandardCharsets.UTF_8);
    return new InvalidValueException(tokens.scalarOffset(), describeType(), value);
  }

  private String describeType() {
    return field.isUuid() ? "uuid" : field.describeType();
  }
}
