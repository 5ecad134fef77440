package dev.quiver.arrow.array;

import static dev.quiver.arrow.type.BufferRole.DATA;
import static dev.quiver.arrow.type.BufferRole.OFFSETS;
import static dev.quiver.arrow.type.BufferRole.SLOT_OFFSETS;
import static dev.quiver.arrow.type.BufferRole.TYPE_IDS;
import static dev.quiver.arrow.type.BufferRole.VIEWS;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An array of any layout that can be appended to. Each slot is copied an amortized constant number
/// of times. Snapshots that [#array] returned earlier never change.
///
/// It holds the dictionaries of a stream that extends them between batches. See [Concatenation] for
/// arrays that are available all at once.
public final class GrowingArray {

  private final Field field;
  private final Layout layout;
  private final List<GrowingBuffer> buffers = new ArrayList<>();
  private final List<GrowingBuffer> variadicBuffers = new ArrayList<>();
  private final List<GrowingArray> children = new ArrayList<>();
  private @Nullable ArrayData dictionary;
  private long length;
  private long nullCount;

  public GrowingArray(Field field) {
    this.field = field;
    this.layout = Layout.of(field);
    layout.buffers().forEach(_ -> buffers.add(new GrowingBuffer()));
    field.storageChildren().forEach(child -> children.add(new GrowingArray(child)));
  }

  /// Returns everything appended so far.
  public ArrayData array() {
    List<MemorySegment> segments = new ArrayList<>();
    buffers.forEach(buffer -> segments.add(buffer.segment()));
    variadicBuffers.forEach(buffer -> segments.add(buffer.segment()));
    return new ArrayData(
        field,
        length,
        nullCount,
        segments,
        children.stream().map(GrowingArray::array).toList(),
        dictionary);
  }

  /// Appends all slots of an array of the same field. Also takes over its dictionaries, which must
  /// start with the previous array's values.
  ///
  /// @param array an array with valid offsets
  /// @param allocator for copies that live as long as this array
  /// @throws IllegalArgumentException if offsets or run ends would overflow their type
  public void append(ArrayData array, SegmentAllocator allocator) {
    appendCompact(Concatenation.compact(array, allocator), allocator);
  }

  private void appendCompact(ArrayData array, SegmentAllocator allocator) {
    if (array.length() == 0) {
      return;
    }
    appendValidity(array, allocator);
    for (int i = 0; i < buffers.size(); i++) {
      appendBuffer(i, array, allocator);
    }
    for (int i = 0; i < children.size(); i++) {
      GrowingArray child = children.get(i);
      ArrayData childArray = array.children().get(i);
      if (i == 0 && field.storageType() instanceof ArrowType.RunEndEncoded) {
        child.appendRunEnds(childArray, length, allocator);
      } else {
        child.appendCompact(childArray, allocator);
      }
    }
    dictionary = array.dictionary() == null ? dictionary : array.dictionary();
    length = Math.addExact(length, array.length());
  }

  private void appendValidity(ArrayData array, SegmentAllocator allocator) {
    if (!layout.hasValidity()) {
      nullCount += field.storageType() instanceof ArrowType.Null ? array.length() : 0;
      return;
    }
    GrowingBuffer validity = buffers.getFirst();
    if (nullCount == 0 && array.nullCount() > 0) {
      validity.appendBits(0, MemorySegment.NULL, length, allocator);
    }
    nullCount += array.nullCount();
    if (nullCount > 0) {
      validity.appendBits(length, array.validity(), array.length(), allocator);
    }
  }

  private void appendBuffer(int index, ArrayData array, SegmentAllocator allocator) {
    BufferLayout bufferLayout = layout.buffers().get(index);
    MemorySegment source = array.buffers().get(index);
    GrowingBuffer target = buffers.get(index);
    switch (bufferLayout.role()) {
      case VALIDITY -> {}
      case DATA -> {
        if (bufferLayout.bitWidth() == 1) {
          target.appendBits(length, source, array.length(), allocator);
        } else if (layout.indexOf(OFFSETS) >= 0) {
          target.append(source.asSlice(0, lastOffset(array)), allocator);
        } else {
          target.append(fixedWidth(source, bufferLayout, array), allocator);
        }
      }
      case TYPE_IDS, SIZES -> target.append(fixedWidth(source, bufferLayout, array), allocator);
      case OFFSETS -> appendOffsets(target, array, allocator);
      case SLOT_OFFSETS -> appendSlotOffsets(target, array, allocator);
      case VIEWS -> appendViews(target, fixedWidth(source, bufferLayout, array), array, allocator);
    }
  }

  private static MemorySegment fixedWidth(
      MemorySegment source, BufferLayout bufferLayout, ArrayData array) {
    return source.asSlice(0, bufferLayout.minimumByteSize(array.length()));
  }

  private static long lastOffset(ArrayData array) {
    return Integers.of(array, OFFSETS).get(array.length());
  }

  private void appendOffsets(GrowingBuffer target, ArrayData array, SegmentAllocator allocator) {
    Integers source = Integers.of(array, OFFSETS);
    int byteWidth = source.byteWidth();
    int dataIndex = layout.indexOf(DATA);
    long base = dataIndex < 0 ? children.getFirst().length : buffers.get(dataIndex).byteSize();
    requireFits(Math.addExact(base, source.get(array.length())), byteWidth);
    if (target.byteSize() == 0) {
      target.extend(byteWidth, allocator);
    }
    Integers offsets =
        new Integers(target.extend(array.length() * byteWidth, allocator), byteWidth);
    for (long slot = 0; slot < array.length(); slot++) {
      offsets.set(slot, base + source.get(slot + 1));
    }
  }

  private void appendSlotOffsets(
      GrowingBuffer target, ArrayData array, SegmentAllocator allocator) {
    Integers source = Integers.of(array, SLOT_OFFSETS);
    int byteWidth = source.byteWidth();
    for (int i = 0; i < children.size(); i++) {
      requireFits(
          Math.addExact(children.get(i).length, array.children().get(i).length()), byteWidth);
    }
    Integers offsets =
        new Integers(target.extend(array.length() * byteWidth, allocator), byteWidth);
    if (field.storageType() instanceof ArrowType.Union type) {
      int[] childIndices = ChildRange.childIndices(type);
      MemorySegment typeIds = array.buffer(TYPE_IDS);
      for (long slot = 0; slot < array.length(); slot++) {
        int child = childIndices[LittleEndian.getInt8(typeIds, slot)];
        offsets.set(slot, children.get(child).length + source.get(slot));
      }
    } else {
      long base = children.getFirst().length;
      for (long slot = 0; slot < array.length(); slot++) {
        offsets.set(slot, base + source.get(slot));
      }
    }
  }

  private void appendViews(
      GrowingBuffer target, MemorySegment source, ArrayData array, SegmentAllocator allocator) {
    int count = array.variadicBuffers().size();
    int[] indices = new int[count];
    long[] bases = new long[count];
    for (int i = 0; i < count; i++) {
      MemorySegment data = array.variadicBuffers().get(i);
      if (variadicBuffers.isEmpty()
          || variadicBuffers.getLast().byteSize() + data.byteSize() > Integer.MAX_VALUE) {
        variadicBuffers.add(new GrowingBuffer());
      }
      indices[i] = variadicBuffers.size() - 1;
      bases[i] = variadicBuffers.getLast().byteSize();
      variadicBuffers.getLast().append(data, allocator);
    }
    MemorySegment views = target.extend(source.byteSize(), allocator);
    MemorySegment bits = array.validity();
    for (long slot = 0; slot < array.length(); slot++) {
      long view = slot * Array.BinaryView.VIEW_BYTE_SIZE;
      boolean isNull = bits.byteSize() != 0 && !Bitmaps.get(bits, slot);
      if (isNull) {
        continue;
      }
      MemorySegment.copy(source, view, views, view, Array.BinaryView.VIEW_BYTE_SIZE);
      if (LittleEndian.getInt32(source, view) > Array.BinaryView.INLINE_BYTE_SIZE_MAX) {
        int index = LittleEndian.getInt32(source, view + 8);
        long offset = bases[index] + LittleEndian.getInt32(source, view + 12);
        LittleEndian.setInt32(views, view + 8, indices[index]);
        LittleEndian.setInt32(views, view + 12, (int) offset);
      }
    }
  }

  /// @param base the number of parent slots before `array`
  private void appendRunEnds(ArrayData array, long base, SegmentAllocator allocator) {
    Integers source = Integers.of(array, DATA);
    int byteWidth = source.byteWidth();
    requireFits(Math.addExact(base, source.get(array.length() - 1)), byteWidth);
    Integers ends =
        new Integers(buffers.get(1).extend(array.length() * byteWidth, allocator), byteWidth);
    for (long run = 0; run < array.length(); run++) {
      ends.set(run, base + source.get(run));
    }
    length += array.length();
  }

  private void requireFits(long end, int byteWidth) {
    long maximum = Integers.maximum(byteWidth);
    if (end > maximum) {
      throw new IllegalArgumentException(
          "Expected at most %d but found %d in an array of %s".formatted(maximum, end, field));
    }
  }
}
