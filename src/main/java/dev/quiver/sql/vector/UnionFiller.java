package dev.quiver.sql.vector;

import static dev.quiver.arrow.type.BufferRole.SLOT_OFFSETS;
import static dev.quiver.arrow.type.BufferRole.TYPE_IDS;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.UnionMode;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.Vectors;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Unions of both modes: a vector of tags, then one for each member, which is null where another
/// member is selected.
final class UnionFiller extends VectorFiller {

  private final VectorFiller[] members;
  private final MemorySegment typeIds;
  private final MemorySegment slotOffsets;
  private final boolean sparse;
  private final int[] memberIndices = new int[Byte.MAX_VALUE + 1];
  private int[] tags = {};

  UnionFiller(ArrayData array, Vectors vectors, VectorFiller[] members, ArrowType.Union type) {
    super(array, vectors);
    this.members = members;
    this.typeIds = array.buffer(TYPE_IDS);
    this.sparse = type.mode() == UnionMode.SPARSE;
    this.slotOffsets = sparse ? MemorySegment.NULL : array.buffer(SLOT_OFFSETS);
    Arrays.fill(memberIndices, -1);
    for (int i = 0; i < members.length; i++) {
      memberIndices[type.typeIds().get(i)] = i;
    }
  }

  @Override
  void fillValues(long slot, int count, long vector, long row) {
    tags = tags.length < count ? new int[count] : tags;
    long target = vectors.data(vectors.structChild(vector, 0)) + row;
    for (int i = 0; i < count; i++) {
      int typeId = LittleEndian.getInt8(typeIds, slot + i);
      int tag = typeId < 0 ? -1 : memberIndices[typeId];
      if (tag < 0) {
        throw new ConversionException(
            "Expected a type id of %s but found %d in column %s"
                .formatted(array.field().type(), typeId, array.field().name()));
      }
      tags[i] = tag;
      NativeMemory.setInt8(target + i, (byte) tag);
    }
    for (int i = 0; i < members.length; i++) {
      fillMember(i, slot, count, vectors.structChild(vector, i + 1), row);
    }
  }

  private void fillMember(int member, long slot, int count, long vector, long row) {
    long[] others = new long[count];
    int otherCount = 0;
    int i = 0;
    while (i < count) {
      if (tags[i] != member) {
        others[otherCount++] = row + i;
        i++;
        continue;
      }
      // Consecutive slots of the member are copied at once.
      long first = memberSlot(member, slot + i);
      int length = 1;
      while (i + length < count
          && tags[i + length] == member
          && memberSlot(member, slot + i + length) == first + length) {
        length++;
      }
      members[member].fill(first, length, vector, row + i);
      i += length;
    }
    if (otherCount > 0) {
      members[member].setNull(vector, others, otherCount);
    }
  }

  private long memberSlot(int member, long slot) {
    long memberSlot = sparse ? slot : LittleEndian.getInt32(slotOffsets, slot << 2);
    if (memberSlot < 0 || memberSlot >= members[member].array.length()) {
      throw new ConversionException(
          "Expected a slot of a member but found %d in column %s"
              .formatted(memberSlot, array.field().name()));
    }
    return memberSlot;
  }

  @Override
  void setNull(long vector, long[] rows, int count) {
    super.setNull(vector, rows, count);
    super.setNull(vectors.structChild(vector, 0), rows, count);
    for (int i = 0; i < members.length; i++) {
      members[i].setNull(vectors.structChild(vector, i + 1), rows, count);
    }
  }
}
