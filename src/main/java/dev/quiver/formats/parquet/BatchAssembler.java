package dev.quiver.formats.parquet;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.transform.NullArrays;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.column.CancellationCheck;
import dev.quiver.formats.parquet.column.SlotLevels;
import dev.quiver.formats.parquet.file.Levels;
import dev.quiver.formats.parquet.file.Node;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;

/// An assembler of a batch's arrays from the values and levels of the leaf columns.
///
/// The levels of the first leaf below a list or struct give its slots. Other leaves within the same
/// list must have equally many slots in each list, so that all arrays fit each other.
final class BatchAssembler {

  private static final int ALIGNMENT = 64;

  private final List<LeafPart> parts;
  private final int[] positions;
  private final long rowCount;
  private final SegmentAllocator allocator;
  private final CancellationCheck cancellationCheck;

  /// @param parts the same rows of all leaf columns that are read
  /// @param positions the index in `parts` for each leaf of the file that is read
  BatchAssembler(
      List<LeafPart> parts,
      int[] positions,
      long rowCount,
      SegmentAllocator allocator,
      CancellationCheck cancellationCheck) {
    this.parts = parts;
    this.positions = positions;
    this.rowCount = rowCount;
    this.allocator = allocator;
    this.cancellationCheck = cancellationCheck;
  }

  /// Returns the array of a top-level column.
  ///
  /// @throws ForeignDataException if the levels of leaves contradict each other, or if the key of a
  ///   map is null
  ArrayData array(Node column) {
    return array(column, rowCount);
  }

  /// @param slotCount the slots of the node if it is empty
  private ArrayData array(Node node, long slotCount) {
    ArrayData array =
        switch (node) {
          case Node.Leaf leaf -> leaf(leaf);
          case Node.Empty(Field field) -> NullArrays.of(field, slotCount, allocator);
          case Node.Struct struct -> struct(struct);
          case Node.ListOf list -> list(list);
        };
    if (!node.field().nullable()
        && (array.nullCount() > 0 || node instanceof Node.Empty && slotCount > 0)) {
      throw damaged("Expected a key for each entry of a map but found a null", node);
    }
    return array;
  }

  private static ForeignDataException damaged(String sentence, Node node) {
    return ForeignDataException.of(sentence, null, node.field().name(), null);
  }

  private LeafPart part(Node node) {
    return parts.get(positions[node.firstLeaf()]);
  }

  private ArrayData leaf(Node.Leaf leaf) {
    ArrayData values = part(leaf).values();
    return new ArrayData(
        leaf.field(), values.length(), values.nullCount(), values.buffers(), List.of(), null);
  }

  private ArrayData struct(Node.Struct struct) {
    Node firstChild = struct.firstChild();
    ArrayData first = array(firstChild, 0);
    long length = first.length();
    List<ArrayData> children = new ArrayList<>();
    for (Node child : struct.children()) {
      if (child != firstChild && !(child instanceof Node.Empty)) {
        requireSameSlots(struct, child);
      }
      children.add(child == firstChild ? first : array(child, length));
    }
    if (!struct.levels().isNullable()) {
      return new ArrayData(struct.field(), length, 0, List.of(MemorySegment.NULL), children, null);
    }
    Slots slots = new Slots(part(struct), struct.levels());
    slots.read();
    return new ArrayData(
        struct.field(), length, slots.nullCount, List.of(slots.validity()), children, null);
  }

  private ArrayData list(Node.ListOf list) {
    ArrayData elements = array(list.element(), 0);
    Slots slots = new Slots(part(list), list.levels());
    MemorySegment offsets = slots.readOffsets();
    return new ArrayData(
        list.field(),
        slots.count,
        slots.nullCount,
        List.of(slots.validity(), offsets),
        List.of(elements),
        null);
  }

  /// Compares the levels of the first leaf of a child to the first leaf of its struct, down to the
  /// struct. Over all structs, this compares each leaf once.
  private void requireSameSlots(Node.Struct struct, Node child) {
    // Outside of lists, each row has one slot.
    if (struct.levels().repetition() == 0) {
      return;
    }
    cancellationCheck.run();
    LeafPart first = part(struct);
    LeafPart other = part(child);
    int i = nextSlot(first, first.slotStart(), struct.levels());
    int j = nextSlot(other, other.slotStart(), struct.levels());
    while (i < first.slotEnd() && j < other.slotEnd()) {
      int definition = Math.min(first.levels().definition(i), struct.levels().definition());
      int otherDefinition = Math.min(other.levels().definition(j), struct.levels().definition());
      if (definition != otherDefinition
          || first.levels().repetition(i) != other.levels().repetition(j)) {
        throw different(struct);
      }
      i = nextSlot(first, i + 1, struct.levels());
      j = nextSlot(other, j + 1, struct.levels());
    }
    if (i < first.slotEnd() || j < other.slotEnd()) {
      throw different(struct);
    }
  }

  /// Returns the next slot, from a given one on, that is not within a list below the node.
  private static int nextSlot(LeafPart part, int slot, Levels node) {
    int next = slot;
    while (next < part.slotEnd() && part.levels().repetition(next) > node.repetition()) {
      next++;
    }
    return next;
  }

  private static ForeignDataException different(Node.Struct struct) {
    return damaged(
        "Expected a Parquet file with lists of equal length in all fields of a struct but found a damaged one",
        struct);
  }

  /// The slots of a list or struct, from the levels of a leaf.
  private final class Slots {

    private final SlotLevels slotLevels;
    private final int start;
    private final int end;
    private final Levels levels;
    private final long[] valid;
    private int count;
    private int nullCount;

    /// @param levels at the list or struct
    Slots(LeafPart part, Levels levels) {
      cancellationCheck.run();
      this.slotLevels = part.levels();
      this.start = part.slotStart();
      this.end = part.slotEnd();
      this.levels = levels;
      this.valid = new long[(end - start >>> 6) + 1];
    }

    /// Reads the slots of a struct.
    void read() {
      for (int i = start; i < end; i++) {
        add(slotLevels.definition(i), slotLevels.repetition(i));
      }
    }

    /// Adds a slot of the node if one begins at a slot of the leaf.
    ///
    /// @return whether one begins
    private boolean add(int definition, int repetition) {
      if (repetition > levels.repetition() || definition < levels.elementDefinition()) {
        return false;
      }
      if (definition >= levels.definition()) {
        valid[count >>> 6] |= 1L << count;
      } else {
        nullCount++;
      }
      count++;
      return true;
    }

    /// Reads the slots of a list, and returns their offsets.
    MemorySegment readOffsets() {
      MemorySegment offsets = allocator.allocate((end - start + 1L) * Integer.BYTES, ALIGNMENT);
      int elementCount = 0;
      for (int i = start; i < end; i++) {
        int definition = slotLevels.definition(i);
        int repetition = slotLevels.repetition(i);
        if (add(definition, repetition)) {
          LittleEndian.setInt32(offsets, count - 1L << 2, elementCount);
        }
        if (repetition <= levels.repetition() + 1 && definition > levels.definition()) {
          elementCount++;
        }
      }
      LittleEndian.setInt32(offsets, (long) count << 2, elementCount);
      return offsets.asSlice(0, count + 1L << 2);
    }

    MemorySegment validity() {
      if (nullCount == 0) {
        return MemorySegment.NULL;
      }
      MemorySegment bits = allocator.allocate((long) valid.length << 3, ALIGNMENT);
      MemorySegment.copy(valid, 0, bits, LittleEndian.INT64, 0, valid.length);
      return bits.asSlice(0, count + 63L >>> 6 << 3);
    }
  }
}
