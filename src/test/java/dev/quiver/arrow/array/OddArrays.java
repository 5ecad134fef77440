package dev.quiver.arrow.array;

import static dev.quiver.arrow.type.BufferRole.DATA;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Valid arrays in shapes that [ArrayBuilder] never produces but other writers may. Offsets start
/// anywhere, data and children have unreferenced slots, and null slots and children of null parents
/// hold garbage. List views are in any order, the last run ends past the length, null counts are
/// -1, validity buffers are redundant, and buffers are longer than needed.
public final class OddArrays {

  private static final int UNREFERENCED_MAXIMUM = 3;

  private final Random random;
  private final RandomData data;
  private final ArrayBuilder builder;
  private final SegmentAllocator allocator;

  public OddArrays(long seed, RandomData data, SegmentAllocator allocator) {
    this.random = new Random(seed);
    this.data = data;
    this.builder = new ArrayBuilder(allocator, data.dictionaries());
    this.allocator = allocator;
  }

  /// Returns a batch of these columns. Some arrays are as [ArrayBuilder] produces them.
  public RecordBatch recordBatch(Schema schema, long length, List<List<@Nullable Object>> columns) {
    List<ArrayData> arrays = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      arrays.add(array(schema.fields().get(i), columns.get(i)));
    }
    return new RecordBatch(schema, length, arrays);
  }

  /// Returns an array of these values.
  public ArrayData array(Field field, List<@Nullable Object> values) {
    if (random.nextInt(4) == 0) {
      return builder.array(field, values);
    }
    return switch (field.storageType()) {
      case ArrowType.List(), ArrowType.LargeList(), ArrowType.Map _ -> lists(field, values);
      case ArrowType.ListView(), ArrowType.LargeListView() -> listViews(field, values);
      case ArrowType.FixedSizeList(int listSize) -> fixedSizeLists(field, values, listSize);
      case ArrowType.Struct() -> structs(field, values);
      case ArrowType.Union type -> union(field, type, values);
      case ArrowType.RunEndEncoded() -> runs(field, values);
      case ArrowType.Binary(), ArrowType.Utf8(), ArrowType.LargeBinary(), ArrowType.LargeUtf8() ->
          variableBinary(builder.array(field, values));
      case ArrowType.BinaryView(), ArrowType.Utf8View() -> views(builder.array(field, values));
      case ArrowType.Null() -> builder.array(field, values);
      case ArrowType.Bool _,
          ArrowType.Int _,
          ArrowType.FloatingPoint _,
          ArrowType.Decimal _,
          ArrowType.Date _,
          ArrowType.Time _,
          ArrowType.Timestamp _,
          ArrowType.Duration _,
          ArrowType.Interval _,
          ArrowType.FixedSizeBinary _ ->
          fixedWidth(builder.array(field, values));
    };
  }

  private ArrayData fixedWidth(ArrayData built) {
    MemorySegment values = longer(built.buffer(DATA));
    long bitWidth = built.layout().buffers().get(1).bitWidth();
    // Fills null slots with garbage, except those of single bits.
    for (long i = 0; bitWidth >= 8 && i < built.length(); i++) {
      if (Array.of(built).isNull(i)) {
        garbage(values.asSlice(i * (bitWidth >>> 3), bitWidth >>> 3));
      }
    }
    return array(built, List.of(values), List.of());
  }

  private ArrayData variableBinary(ArrayData built) {
    int byteWidth = Integers.byteWidth(built.field(), BufferRole.OFFSETS);
    MemorySegment bytes = built.buffer(DATA);
    int before = random.nextInt(UNREFERENCED_MAXIMUM);
    MemorySegment moved = longer(allocate(before + bytes.byteSize()));
    garbage(moved);
    MemorySegment.copy(bytes, 0, moved, before, bytes.byteSize());
    Integers source = new Integers(built.buffer(BufferRole.OFFSETS), byteWidth);
    Integers offsets = new Integers(allocate((built.length() + 1) * byteWidth), byteWidth);
    for (long i = 0; i <= built.length(); i++) {
      offsets.set(i, source.get(i) + before);
    }
    return array(built, List.of(longer(offsets.segment()), moved), List.of());
  }

  private ArrayData views(ArrayData built) {
    MemorySegment views = longer(built.buffer(BufferRole.VIEWS));
    List<MemorySegment> buffers = new ArrayList<>(List.of(views));
    int before = random.nextInt(3);
    for (int i = 0; i < before; i++) {
      buffers.add(garbage(allocate(random.nextInt(40))));
    }
    List<Integer> shifts = new ArrayList<>();
    for (MemorySegment buffer : built.variadicBuffers()) {
      int shift = random.nextInt(200);
      MemorySegment moved = garbage(longer(allocate(shift + buffer.byteSize())));
      MemorySegment.copy(buffer, 0, moved, shift, buffer.byteSize());
      shifts.add(shift);
      buffers.add(moved);
    }
    for (long i = 0; i < built.length(); i++) {
      MemorySegment view = views.asSlice(i * 16, 16);
      if (Array.of(built).isNull(i)) {
        garbage(view);
      } else if (LittleEndian.getInt32(view, 0) > 12) {
        int buffer = LittleEndian.getInt32(view, 8);
        LittleEndian.setInt32(view, 8, buffer + before);
        LittleEndian.setInt32(view, 12, LittleEndian.getInt32(view, 12) + shifts.get(buffer));
      }
    }
    return array(built, buffers, List.of());
  }

  private ArrayData lists(Field field, List<@Nullable Object> values) {
    Field itemField = field.children().getFirst();
    int byteWidth = Integers.byteWidth(field, BufferRole.OFFSETS);
    List<@Nullable Object> items = unreferenced(itemField);
    Integers offsets = new Integers(allocate((values.size() + 1L) * byteWidth), byteWidth);
    offsets.set(0, items.size());
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) instanceof List<?> list) {
        items.addAll(list);
      } else {
        items.addAll(unreferenced(itemField));
      }
      offsets.set(i + 1L, items.size());
    }
    items.addAll(unreferenced(itemField));
    return array(
        field, values, List.of(longer(offsets.segment())), List.of(array(itemField, items)));
  }

  private ArrayData listViews(Field field, List<@Nullable Object> values) {
    Field itemField = field.children().getFirst();
    int byteWidth = Integers.byteWidth(field, BufferRole.SIZES);
    List<@Nullable Object> items = unreferenced(itemField);
    Integers offsets = new Integers(allocate((long) values.size() * byteWidth), byteWidth);
    Integers sizes = new Integers(allocate((long) values.size() * byteWidth), byteWidth);
    List<Integer> order = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      order.add(i);
    }
    Collections.shuffle(order, random);
    for (int slot : order) {
      List<?> list = values.get(slot) instanceof List<?> given ? given : unreferenced(itemField);
      offsets.set(slot, items.size());
      sizes.set(slot, list.size());
      items.addAll(list);
      items.addAll(unreferenced(itemField));
    }
    return array(
        field,
        values,
        List.of(longer(offsets.segment()), longer(sizes.segment())),
        List.of(array(itemField, items)));
  }

  private ArrayData fixedSizeLists(Field field, List<@Nullable Object> values, int listSize) {
    Field itemField = field.children().getFirst();
    List<@Nullable Object> items = new ArrayList<>();
    for (Object value : values) {
      if (value instanceof List<?> list) {
        items.addAll(list);
      } else {
        items.addAll(data.values(itemField, listSize));
      }
    }
    items.addAll(unreferenced(itemField));
    return array(field, values, List.of(), List.of(array(itemField, items)));
  }

  private ArrayData structs(Field field, List<@Nullable Object> values) {
    List<ArrayData> children = new ArrayList<>();
    for (int i = 0; i < field.children().size(); i++) {
      Field childField = field.children().get(i);
      List<@Nullable Object> slots = new ArrayList<>();
      for (Object value : values) {
        slots.add(
            value instanceof List<?> tuple ? tuple.get(i) : data.values(childField, 1).getFirst());
      }
      slots.addAll(unreferenced(childField));
      ArrayData child = array(childField, slots);
      children.add(withGarbageBelow(values, child));
    }
    return array(field, values, List.of(), children);
  }

  /// Returns the child with garbage in the views below null parents, which must not be read.
  private ArrayData withGarbageBelow(List<@Nullable Object> parents, ArrayData child) {
    if (!child.layout().variadic()) {
      return child;
    }
    List<MemorySegment> buffers = new ArrayList<>(child.buffers());
    MemorySegment views = longer(child.buffer(BufferRole.VIEWS));
    for (int i = 0; i < parents.size(); i++) {
      if (parents.get(i) == null) {
        garbage(views.asSlice(i * 16L, 16));
      }
    }
    buffers.set(1, views);
    return new ArrayData(
        child.field(), child.length(), child.nullCount(), buffers, List.of(), child.dictionary());
  }

  private ArrayData union(Field field, ArrowType.Union type, List<@Nullable Object> values) {
    boolean sparse = type.mode() == UnionMode.SPARSE;
    List<List<@Nullable Object>> columns = new ArrayList<>();
    for (Field child : field.children()) {
      List<@Nullable Object> column = new ArrayList<>();
      if (!sparse) {
        column.addAll(unreferenced(child));
      }
      columns.add(column);
    }
    MemorySegment typeIds = allocate(values.size());
    MemorySegment offsets = allocate(values.size() * 4L);
    for (int slot = 0; slot < values.size(); slot++) {
      UnionValue value = (UnionValue) values.get(slot);
      int selected = type.typeIds().indexOf(value.typeId());
      LittleEndian.setInt8(typeIds, slot, (byte) value.typeId());
      for (int i = 0; sparse && i < columns.size(); i++) {
        Object other = data.values(field.children().get(i), 1).getFirst();
        columns.get(i).add(i == selected ? value.value() : other);
      }
      if (!sparse) {
        List<@Nullable Object> column = columns.get(selected);
        LittleEndian.setInt32(offsets, slot * 4L, column.size());
        column.add(value.value());
        column.addAll(unreferenced(field.children().get(selected)));
      }
    }
    List<ArrayData> children = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).addAll(unreferenced(field.children().get(i)));
      children.add(array(field.children().get(i), columns.get(i)));
    }
    List<MemorySegment> buffers =
        sparse ? List.of(longer(typeIds)) : List.of(longer(typeIds), longer(offsets));
    return new ArrayData(field, values.size(), 0, buffers, children, null);
  }

  /// Returns runs that may be shorter than necessary, followed by unused ones.
  private ArrayData runs(Field field, List<@Nullable Object> values) {
    Field valueField = field.children().getLast();
    List<@Nullable Object> ends = new ArrayList<>();
    List<@Nullable Object> runValues = new ArrayList<>();
    for (int slot = 0; slot < values.size(); slot++) {
      boolean same = slot > 0 && runValues.getLast() == values.get(slot) && random.nextInt(3) != 0;
      if (same) {
        ends.set(ends.size() - 1, slot + 1);
      } else {
        ends.add(slot + 1);
        runValues.add(values.get(slot));
      }
    }
    if (!ends.isEmpty()) {
      ends.set(ends.size() - 1, values.size() + random.nextInt(UNREFERENCED_MAXIMUM));
    }
    for (int more = random.nextInt(UNREFERENCED_MAXIMUM); more > 0; more--) {
      ends.add(values.size() + UNREFERENCED_MAXIMUM + ends.size());
      runValues.addAll(data.values(valueField, 1));
    }
    runValues.addAll(unreferenced(valueField));
    ArrayData runEnds = builder.array(field.children().getFirst(), ends);
    return new ArrayData(
        field, values.size(), 0, List.of(), List.of(runEnds, array(valueField, runValues)), null);
  }

  /// Returns slots that nothing refers to.
  private List<@Nullable Object> unreferenced(Field field) {
    return new ArrayList<>(data.values(field, random.nextInt(UNREFERENCED_MAXIMUM)));
  }

  private ArrayData array(
      ArrayData built, List<MemorySegment> buffersAfterValidity, List<ArrayData> children) {
    List<@Nullable Object> nullMarkers = new ArrayList<>();
    for (long i = 0; i < built.length(); i++) {
      nullMarkers.add(Array.of(built).isNull(i) ? null : true);
    }
    ArrayData array = array(built.field(), nullMarkers, buffersAfterValidity, children);
    return new ArrayData(
        array.field(),
        array.length(),
        array.nullCount(),
        array.buffers(),
        array.children(),
        built.dictionary());
  }

  private ArrayData array(
      Field field,
      List<@Nullable Object> values,
      List<MemorySegment> buffersAfterValidity,
      List<ArrayData> children) {
    long nullCount = values.stream().filter(value -> value == null).count();
    MemorySegment validity = garbage(longer(allocate(Bitmaps.byteSize(values.size()))));
    boolean counts = nullCount != 0 || random.nextInt(3) == 0;
    for (int i = 0; counts && i < values.size(); i++) {
      byte bits = LittleEndian.getInt8(validity, i >>> 3);
      int bit = 1 << (i & 7);
      LittleEndian.setInt8(
          validity, i >>> 3, (byte) (values.get(i) == null ? bits & ~bit : bits | bit));
    }
    List<MemorySegment> buffers = new ArrayList<>(buffersAfterValidity);
    buffers.addFirst(counts || random.nextBoolean() ? validity : MemorySegment.NULL);
    boolean unknown = counts && values.size() != 0 && random.nextInt(3) == 0;
    return new ArrayData(field, values.size(), unknown ? -1 : nullCount, buffers, children, null);
  }

  private MemorySegment longer(MemorySegment buffer) {
    MemorySegment longer = garbage(allocate(buffer.byteSize() + random.nextInt(20)));
    return longer.copyFrom(buffer);
  }

  private MemorySegment garbage(MemorySegment segment) {
    byte[] bytes = new byte[(int) segment.byteSize()];
    random.nextBytes(bytes);
    return segment.copyFrom(MemorySegment.ofArray(bytes));
  }

  private MemorySegment allocate(long byteSize) {
    return allocator.allocate(byteSize, 8);
  }
}
