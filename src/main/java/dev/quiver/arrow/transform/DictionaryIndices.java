package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Layout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

/// A rewriter of the indices of dictionary-encoded arrays at any depth. It maps them to new values,
/// and converts them to the index type of another field.
///
/// Null slots get index 0. So do slots whose index has no value: in a valid array, no reader sees
/// them.
final class DictionaryIndices {

  private final LongFunction<? extends Mapping> mappings;
  private final SegmentAllocator allocator;

  /// A mapping from the indices of a dictionary to new ones.
  interface Mapping {

    /// Returns whether every index stays the same.
    boolean isIdentity();

    /// Returns the new index, or 0 if the index has no value, which only unused slots have.
    long get(long index);
  }

  DictionaryIndices(LongFunction<? extends Mapping> mappings, SegmentAllocator allocator) {
    this.mappings = mappings;
    this.allocator = allocator;
  }

  /// Returns `array` without its dictionaries, which no longer match.
  ///
  /// @param field equal to the field of `array`, except for the ids and index types of dictionaries
  ArrayData rewritten(ArrayData array, Field field) {
    List<ArrayData> children = new ArrayList<>();
    for (int i = 0; i < array.children().size(); i++) {
      children.add(rewritten(array.children().get(i), field.storageChildren().get(i)));
    }
    return new ArrayData(
        field, array.length(), array.nullCount(), buffers(array, field), children, null);
  }

  private List<MemorySegment> buffers(ArrayData array, Field field) {
    DictionaryEncoding encoding = array.field().dictionary();
    if (encoding == null || array.length() == 0) {
      return array.buffers();
    }
    Mapping mapping = mappings.apply(encoding.id());
    boolean sameType = field.storageType().equals(array.field().storageType());
    if (mapping.isIdentity() && sameType) {
      return array.buffers();
    }
    Array.DictionaryEncoded source = (Array.DictionaryEncoded) Array.of(array);
    int bitWidth = ((ArrowType.Int) field.storageType()).bitWidth();
    MemorySegment indices =
        allocator.allocate(Math.multiplyExact(array.length(), (long) bitWidth >>> 3), Long.BYTES);
    for (long slot = 0; slot < array.length(); slot++) {
      set(indices, bitWidth, slot, source.isNull(slot) ? 0 : mapping.get(source.index(slot)));
    }
    List<MemorySegment> buffers = new ArrayList<>(array.buffers());
    buffers.set(Layout.of(field).indexOf(BufferRole.DATA), indices);
    return buffers;
  }

  private static void set(MemorySegment indices, int bitWidth, long slot, long index) {
    switch (bitWidth) {
      case 8 -> LittleEndian.setInt8(indices, slot, (byte) index);
      case 16 -> LittleEndian.setInt16(indices, slot << 1, (short) index);
      case 32 -> LittleEndian.setInt32(indices, slot << 2, (int) index);
      default -> LittleEndian.setInt64(indices, slot << 3, index);
    }
  }
}
