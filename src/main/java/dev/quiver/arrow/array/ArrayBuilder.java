package dev.quiver.arrow.array;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.Layout;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// A builder of arrays and record batches from Java values.
///
/// Each slot accepts null, or:
/// * booleans, text, binary: `Boolean`, `String`, `byte[]` or `ByteString`;
/// * integers, dates, times, timestamps, durations, months: any integer class, in the type's unit;
/// * floating point: `Float` or `Double`, rounded to the type;
/// * decimals: the unscaled `BigInteger`, or a `BigDecimal` that needs no rounding;
/// * intervals of days or finer: `IntervalValue`;
/// * lists: `List`; structs: a `List` of the children's values; maps: a `List` of entries, each a
///   `List` of key and value;
/// * unions: [UnionValue], also for null;
/// * run-end-encoded: the value; equal neighbors become one run;
/// * dictionary-encoded: a value of the given dictionary, or a [DictionaryIndex].
///
/// A value that does not fit causes an [IllegalArgumentException]. Null slots and padding are zero.
/// An array without nulls has no validity buffer.
public final class ArrayBuilder {

  /// The size of a view array's data buffers. A longer value gets a buffer of its own.
  static final int VIEW_BUFFER_BYTE_SIZE = 64 << 10;

  private final ZeroedMemory memory;
  private final Map<Long, Dictionary> dictionaries = new HashMap<>();

  /// Creates a builder without dictionaries that allocates buffers from `allocator`.
  public ArrayBuilder(SegmentAllocator allocator) {
    this(allocator, Map.of());
  }

  /// @param allocator the source of the buffers
  /// @param dictionaries the values of each dictionary by its id
  public ArrayBuilder(
      SegmentAllocator allocator,
      Map<Long, ? extends List<? extends @Nullable Object>> dictionaries) {
    this.memory = new ZeroedMemory(allocator);
    dictionaries.forEach((id, values) -> this.dictionaries.put(id, new Dictionary(values)));
  }

  /// Returns a batch of `length` rows.
  ///
  /// @param columns the values of each field of `schema`, in order
  public RecordBatch recordBatch(
      Schema schema, long length, List<? extends List<? extends @Nullable Object>> columns) {
    require(
        columns.size() == schema.fields().size(),
        schema.fields().size() + " columns",
        columns.size());
    List<ArrayData> arrays = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Field field = schema.fields().get(i);
      int found = columns.get(i).size();
      require(found == length, length + " values of " + field.name(), found);
      arrays.add(array(field, columns.get(i)));
    }
    return new RecordBatch(schema, length, arrays);
  }

  /// Returns an array of these values.
  public ArrayData array(Field field, List<? extends @Nullable Object> values) {
    SlotValues slots = new SlotValues(field, values);
    if (field.dictionary() != null) {
      return dictionaryEncoded(slots, field.dictionary());
    }
    return switch (field.type()) {
      case ArrowType.Null() -> nulls(slots);
      case ArrowType.Bool() -> bools(slots);
      case ArrowType.Int type -> fixedWidth(slots, FixedWidthEncoder.of(type));
      case ArrowType.FloatingPoint(Precision precision) ->
          fixedWidth(slots, FixedWidthEncoder.floatingPoint(precision));
      case ArrowType.Decimal type -> fixedWidth(slots, FixedWidthEncoder.decimal(type));
      case ArrowType.Temporal _ ->
          fixedWidth(slots, FixedWidthEncoder.signedInteger(bitWidth(field)));
      case ArrowType.Interval(IntervalUnit unit) ->
          fixedWidth(slots, FixedWidthEncoder.interval(unit));
      case ArrowType.FixedSizeBinary(int byteWidth) ->
          fixedWidth(slots, FixedWidthEncoder.fixedSizeBinary(byteWidth));
      case ArrowType.VariableBytes _ -> variableBinary(slots);
      case ArrowType.ViewBytes _ -> binaryView(slots);
      case ArrowType.VariableList _ -> variableList(slots);
      case ArrowType.ViewList _ -> listView(slots);
      case ArrowType.FixedSizeList(int listSize) -> fixedSizeList(slots, listSize);
      case ArrowType.Struct() -> struct(slots);
      case ArrowType.Union type -> union(slots, type);
      case ArrowType.RunEndEncoded() -> runEndEncoded(slots);
    };
  }

  private ArrayData nulls(SlotValues slots) {
    slots.forEachValue((slot, value) -> slots.require(false, "null", value, slot));
    return new ArrayData(slots.field(), slots.size(), slots.size(), List.of(), List.of(), null);
  }

  private ArrayData bools(SlotValues slots) {
    MemorySegment bits = memory.allocate(Bitmaps.byteSize(slots.size()));
    slots.forEachValue((slot, value) -> {
      if (FixedWidthEncoder.expect(Boolean.class, "a boolean", value)) {
        Bitmaps.set(bits, slot);
      }
    });
    return flat(slots, bits);
  }

  private ArrayData fixedWidth(SlotValues slots, FixedWidthEncoder encoder) {
    long byteWidth = bitWidth(slots.field()) >>> 3;
    MemorySegment data = memory.allocate(Math.multiplyExact(slots.size(), byteWidth));
    slots.forEachValue((slot, value) -> encoder.encode(value, data, slot * byteWidth));
    return flat(slots, data);
  }

  private ArrayData variableBinary(SlotValues slots) {
    byte[][] bytes = slots.bytes();
    MemorySegment offsets = offsets(slots.field(), bytes.length, slot -> bytes[slot].length);
    return flat(slots, offsets, memory.concatenate(List.of(bytes)));
  }

  private ArrayData binaryView(SlotValues slots) {
    byte[][] bytes = slots.bytes();
    MemorySegment views = memory.allocate((long) bytes.length * Array.BinaryView.VIEW_BYTE_SIZE);
    List<MemorySegment> dataBuffers = new ArrayList<>();
    List<byte[]> pending = new ArrayList<>();
    int pendingByteSize = 0;
    for (int slot = 0; slot < bytes.length; slot++) {
      byte[] value = bytes[slot];
      MemorySegment view = views.asSlice((long) slot * Array.BinaryView.VIEW_BYTE_SIZE);
      LittleEndian.setInt32(view, 0, value.length);
      if (value.length <= Array.BinaryView.INLINE_BYTE_SIZE_MAX) {
        MemorySegment.copy(value, 0, view, LittleEndian.INT8, 4, value.length);
        continue;
      }
      if (!pending.isEmpty() && value.length > VIEW_BUFFER_BYTE_SIZE - pendingByteSize) {
        dataBuffers.add(memory.concatenate(pending));
        pending.clear();
        pendingByteSize = 0;
      }
      MemorySegment.copy(value, 0, view, LittleEndian.INT8, 4, 4);
      LittleEndian.setInt32(view, 8, dataBuffers.size());
      LittleEndian.setInt32(view, 12, pendingByteSize);
      pending.add(value);
      pendingByteSize += value.length;
    }
    if (!pending.isEmpty()) {
      dataBuffers.add(memory.concatenate(pending));
    }
    dataBuffers.addFirst(views);
    return flat(slots, dataBuffers.toArray(MemorySegment[]::new));
  }

  private ArrayData variableList(SlotValues slots) {
    List<List<?>> lists = slots.lists();
    MemorySegment offsets = offsets(slots.field(), lists.size(), slot -> lists.get(slot).size());
    return nested(slots, List.of(offsets), List.of(items(slots.field(), lists)));
  }

  private ArrayData listView(SlotValues slots) {
    List<List<?>> lists = slots.lists();
    long byteWidth = bitWidth(slots.field()) >>> 3;
    MemorySegment ends = offsets(slots.field(), lists.size(), slot -> lists.get(slot).size());
    MemorySegment sizes = memory.allocate(lists.size() * byteWidth);
    FixedWidthEncoder encoder = FixedWidthEncoder.signedInteger(bitWidth(slots.field()));
    for (int slot = 0; slot < lists.size(); slot++) {
      encoder.encode(lists.get(slot).size(), sizes, slot * byteWidth);
    }
    MemorySegment starts = ends.asSlice(0, sizes.byteSize());
    return nested(slots, List.of(starts, sizes), List.of(items(slots.field(), lists)));
  }

  private ArrayData fixedSizeList(SlotValues slots, int listSize) {
    List<@Nullable Object> items = new ArrayList<>();
    for (int slot = 0; slot < slots.size(); slot++) {
      items.addAll(slots.tuple(slot, listSize));
    }
    return nested(slots, List.of(), List.of(array(onlyChild(slots.field()), items)));
  }

  private ArrayData struct(SlotValues slots) {
    int childCount = slots.field().children().size();
    List<List<@Nullable Object>> columns = columns(childCount);
    for (int slot = 0; slot < slots.size(); slot++) {
      List<? extends @Nullable Object> tuple = slots.tuple(slot, childCount);
      for (int i = 0; i < childCount; i++) {
        columns.get(i).add(tuple.get(i));
      }
    }
    return nested(slots, List.of(), children(slots.field(), columns));
  }

  private ArrayData union(SlotValues slots, ArrowType.Union type) {
    boolean sparse = type.mode() == UnionMode.SPARSE;
    MemorySegment typeIds = memory.allocate(slots.size());
    MemorySegment slotOffsets = memory.allocate(sparse ? 0 : Math.multiplyExact(slots.size(), 4L));
    List<List<@Nullable Object>> columns = columns(slots.field().children().size());
    for (int slot = 0; slot < slots.size(); slot++) {
      Object value = slots.values().get(slot);
      UnionValue selected =
          value == SlotValues.FILLER
              ? new UnionValue(type.typeIds().getFirst(), SlotValues.FILLER)
              : slots.expect(UnionValue.class, "a UnionValue", slot);
      int childIndex = type.typeIds().indexOf(selected.typeId());
      slots.require(childIndex >= 0, "a type id of " + type.typeIds(), selected.typeId(), slot);
      LittleEndian.setInt8(typeIds, slot, (byte) selected.typeId());
      if (sparse) {
        for (int i = 0; i < columns.size(); i++) {
          columns.get(i).add(i == childIndex ? selected.value() : SlotValues.FILLER);
        }
      } else {
        List<@Nullable Object> column = columns.get(childIndex);
        LittleEndian.setInt32(slotOffsets, slot * 4L, column.size());
        column.add(selected.value());
      }
    }
    List<MemorySegment> buffers = sparse ? List.of(typeIds) : List.of(typeIds, slotOffsets);
    return new ArrayData(
        slots.field(), slots.size(), 0, buffers, children(slots.field(), columns), null);
  }

  private ArrayData runEndEncoded(SlotValues slots) {
    List<@Nullable Object> runEnds = new ArrayList<>();
    List<@Nullable Object> runValues = new ArrayList<>();
    for (int slot = 0; slot < slots.size(); slot++) {
      Object value = slots.values().get(slot);
      boolean same =
          slot > 0
              && Objects.equals(
                  SlotValues.comparable(value), SlotValues.comparable(runValues.getLast()));
      if (same) {
        runEnds.set(runEnds.size() - 1, slot + 1);
      } else {
        runEnds.add(slot + 1);
        runValues.add(value);
      }
    }
    List<ArrayData> children = children(slots.field(), List.of(runEnds, runValues));
    return new ArrayData(slots.field(), slots.size(), 0, List.of(), children, null);
  }

  private ArrayData dictionaryEncoded(SlotValues slots, DictionaryEncoding encoding) {
    Dictionary dictionary = dictionaries.get(encoding.id());
    List<@Nullable Object> indices = new ArrayList<>();
    for (int slot = 0; slot < slots.size(); slot++) {
      Object value = slots.values().get(slot);
      if (value == null || value == SlotValues.FILLER) {
        indices.add(value);
      } else {
        String expected = "a value of dictionary " + encoding.id();
        Long index = dictionary == null ? null : dictionary.indexOf(value);
        slots.require(index != null, expected, value, slot);
        indices.add(index);
      }
    }
    ArrayData stored =
        fixedWidth(
            new SlotValues(slots.field(), indices), FixedWidthEncoder.of(encoding.indexType()));
    return new ArrayData(
        slots.field(),
        stored.length(),
        stored.nullCount(),
        stored.buffers(),
        List.of(),
        dictionary == null ? null : dictionary.array(slots.field().withDictionary(null)));
  }

  /// Returns an array with a validity buffer, followed by `buffers`.
  private ArrayData flat(SlotValues slots, MemorySegment... buffers) {
    return nested(slots, List.of(buffers), List.of());
  }

  private ArrayData nested(
      SlotValues slots, List<MemorySegment> buffersAfterValidity, List<ArrayData> children) {
    List<MemorySegment> buffers = new ArrayList<>(buffersAfterValidity);
    int nullCount = 0;
    for (int slot = 0; slot < slots.size(); slot++) {
      nullCount += slots.isNull(slot) ? 1 : 0;
    }
    MemorySegment validity = memory.allocate(nullCount == 0 ? 0 : Bitmaps.byteSize(slots.size()));
    for (int slot = 0; nullCount != 0 && slot < slots.size(); slot++) {
      if (!slots.isNull(slot)) {
        Bitmaps.set(validity, slot);
      }
    }
    buffers.addFirst(validity);
    return new ArrayData(slots.field(), slots.size(), nullCount, buffers, children, null);
  }

  private ArrayData items(Field field, List<List<?>> lists) {
    List<@Nullable Object> items = new ArrayList<>();
    lists.forEach(items::addAll);
    return array(onlyChild(field), items);
  }

  private static Field onlyChild(Field field) {
    require(field.children().size() == 1, "one child of " + field.name(), field.children());
    return field.children().getFirst();
  }

  private static List<List<@Nullable Object>> columns(int count) {
    List<List<@Nullable Object>> columns = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      columns.add(new ArrayList<>());
    }
    return columns;
  }

  private List<ArrayData> children(Field field, List<List<@Nullable Object>> columns) {
    List<ArrayData> children = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      children.add(array(field.children().get(i), columns.get(i)));
    }
    return children;
  }

  /// Returns the running sums of the slots' sizes: one more than the number of slots.
  private MemorySegment offsets(Field field, int slotCount, IntUnaryOperator sizeOf) {
    int bitWidth = bitWidth(field);
    long byteWidth = bitWidth >>> 3;
    FixedWidthEncoder encoder = FixedWidthEncoder.signedInteger(bitWidth);
    MemorySegment offsets = memory.allocate((slotCount + 1) * byteWidth);
    long end = 0;
    for (int slot = 0; slot < slotCount; slot++) {
      end += sizeOf.applyAsInt(slot);
      encoder.encode(end, offsets, (slot + 1) * byteWidth);
    }
    return offsets;
  }

  /// Returns the bit width of the elements after the validity: values or offsets.
  private static int bitWidth(Field field) {
    return Math.toIntExact(Layout.of(field).buffers().get(1).bitWidth());
  }

  private static void require(boolean holds, String expected, @Nullable Object found) {
    if (!holds) {
      throw new IllegalArgumentException("Expected " + expected + " but found " + found);
    }
  }

  /// The values of one id. They become an array once, which batches and fields share.
  private final class Dictionary {
    private final List<? extends @Nullable Object> values;
    private final Map<@Nullable Object, Long> indices = new HashMap<>();
    private @Nullable ArrayData array;

    Dictionary(List<? extends @Nullable Object> values) {
      this.values = values;
      for (int i = 0; i < values.size(); i++) {
        indices.putIfAbsent(SlotValues.comparable(values.get(i)), (long) i);
      }
    }

    @Nullable Long indexOf(Object value) {
      return value instanceof DictionaryIndex(long index)
          ? index
          : indices.get(SlotValues.comparable(value));
    }

    ArrayData array(Field field) {
      if (array == null) {
        array = ArrayBuilder.this.array(field, values);
      }
      return array;
    }
  }
}
