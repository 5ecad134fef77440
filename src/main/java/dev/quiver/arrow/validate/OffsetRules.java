package dev.quiver.arrow.validate;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.FieldPath;
import dev.quiver.arrow.type.UnionMode;
import dev.quiver.arrow.validate.kernel.Blocks;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/// The rules of [Level#OFFSETS], for arrays that satisfy [Level#LAYOUT].
final class OffsetRules {

  private static final int TYPE_IDS = 1 << Byte.SIZE;

  private final Findings findings;
  private final Blocks blocks;

  OffsetRules(Findings findings, Blocks blocks) {
    this.findings = findings;
    this.blocks = blocks;
  }

  void check(ArrayData array, FieldPath path) {
    checkNullCount(array, path);
    switch (array.field().storageType()) {
      case ArrowType.VariableBytes _ -> {
        long byteSize = array.buffer(BufferRole.DATA).byteSize();
        checkOffsets(array, path, byteSize, "the size of the data");
      }
      case ArrowType.VariableList _ -> {
        long childLength = array.children().getFirst().length();
        checkOffsets(array, path, childLength, "the length of the child");
      }
      case ArrowType.ViewList _ -> checkListViews(array, path);
      case ArrowType.Union type -> checkUnion(array, type, path);
      case ArrowType.RunEndEncoded() -> checkRunEnds(array, path);
      case ArrowType.Null _,
          ArrowType.Bool _,
          ArrowType.FixedWidth _,
          ArrowType.ViewBytes _,
          ArrowType.Nested _ -> {}
    }
    for (ArrayData child : array.children()) {
      if (findings.isFull()) {
        return;
      }
      check(child, path.child(child.field()));
    }
  }

  private void checkNullCount(ArrayData array, FieldPath path) {
    if (array.nullCount() == -1 || !array.layout().hasValidity()) {
      return;
    }
    long nulls = array.countNulls(0, array.length());
    if (nulls != array.nullCount()) {
      findings.add(
          Rule.NULL_COUNT,
          path,
          nulls + ", the zeros in the validity,",
          Long.toString(array.nullCount()),
          "null count");
    }
  }

  private void checkOffsets(ArrayData array, FieldPath path, long maximum, String maximumName) {
    long length = array.length();
    Integers offsets = Integers.of(array, BufferRole.OFFSETS);
    // The first offset of an empty array may be missing. If present, readers interpret it.
    if (length == 0 && offsets.segment().byteSize() < offsets.byteWidth()) {
      return;
    }
    if (!blocks.ascend(offsets, length + 1)) {
      long previous = 0;
      for (long i = 0; i <= length && !findings.isFull(); i++) {
        long offset = offsets.get(i);
        if (offset < previous) {
          Rule rule = i == 0 ? Rule.OFFSET_FIRST : Rule.OFFSET_ORDER;
          addAt(rule, path, i, previous + " or more", offset, "offsets");
        }
        previous = offset;
      }
    }
    long last = offsets.get(length);
    if (last > maximum) {
      addAt(
          Rule.OFFSET_LAST,
          path,
          length,
          maximum + " or less, " + maximumName + ",",
          last,
          "offsets");
    }
  }

  private void checkListViews(ArrayData array, FieldPath path) {
    Integers offsets = Integers.of(array, BufferRole.SLOT_OFFSETS);
    Integers sizes = Integers.of(array, BufferRole.SIZES);
    long childLength = array.children().getFirst().length();
    for (long i = 0; i < array.length() && !findings.isFull(); i++) {
      long offset = offsets.get(i);
      long size = sizes.get(i);
      if (offset < 0 || size < 0 || offset > childLength - size) {
        findings.addAt(
            Rule.LIST_VIEW_RANGE,
            path,
            i,
            "slots from 0 to " + childLength,
            "offset " + offset + " and size " + size,
            "offsets");
      }
    }
  }

  private void checkUnion(ArrayData array, ArrowType.Union type, FieldPath path) {
    int[] children = childOfTypeId(type.typeIds());
    MemorySegment typeIds = array.buffer(BufferRole.TYPE_IDS);
    boolean dense = type.mode() == UnionMode.DENSE;
    long[] lengths = array.children().stream().mapToLong(ArrayData::length).toArray();
    long[] previous = new long[lengths.length];
    MemorySegment offsets = dense ? array.buffer(BufferRole.SLOT_OFFSETS) : MemorySegment.NULL;
    for (long i = 0; i < array.length() && !findings.isFull(); i++) {
      byte typeId = LittleEndian.getInt8(typeIds, i);
      int child = children[typeId & 0xFF];
      if (child < 0) {
        String expected = "one of " + type.typeIds();
        addAt(Rule.UNION_TYPE_ID, path, i, expected, typeId, "type ids");
      } else if (dense) {
        int offset = LittleEndian.getInt32(offsets, i << 2);
        if (offset < 0 || offset >= lengths[child]) {
          String expected = "0 to less than " + lengths[child] + ", the length of the child,";
          addAt(Rule.UNION_OFFSET, path, i, expected, offset, "offsets");
        } else if (offset < previous[child]) {
          String expected = previous[child] + " or more for type id " + typeId;
          addAt(Rule.UNION_OFFSET_ORDER, path, i, expected, offset, "offsets");
        }
        previous[child] = offset;
      }
    }
  }

  /// Returns the child that each type id selects, or -1 if unknown. The index is the id taken as
  /// unsigned.
  private static int[] childOfTypeId(List<Integer> typeIds) {
    int[] children = new int[TYPE_IDS];
    Arrays.fill(children, -1);
    for (int i = 0; i < typeIds.size(); i++) {
      children[typeIds.get(i)] = i;
    }
    return children;
  }

  private void checkRunEnds(ArrayData array, FieldPath path) {
    ArrayData runEnds = array.children().getFirst();
    long nulls = runEnds.countNulls(0, runEnds.length());
    if (nulls != 0) {
      findings.add(
          Rule.RUN_END_NULL, path, "no nulls in the run ends", Long.toString(nulls), "children[0]");
    }
    Integers ends = Integers.of(runEnds, BufferRole.DATA);
    long previous = 0;
    for (long i = 0; i < runEnds.length() && !findings.isFull(); i++) {
      long end = ends.get(i);
      if (end <= previous) {
        addAt(Rule.RUN_END_ORDER, path, i, "more than " + previous, end, "run ends");
      }
      previous = end;
    }
    if (previous < array.length()) {
      String expected = array.length() + " or more, the length,";
      if (runEnds.length() == 0) {
        findings.add(Rule.RUN_END_LAST, path, expected, "no run", "run ends");
      } else {
        addAt(Rule.RUN_END_LAST, path, runEnds.length() - 1, expected, previous, "run ends");
      }
    }
  }

  private void addAt(
      Rule rule, FieldPath path, long index, String expected, long found, String what) {
    findings.addAt(rule, path, index, expected, Long.toString(found), what);
  }
}
