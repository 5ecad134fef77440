package dev.quiver.arrow.array;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/// A walk over the observable slots of columns, row by row, that passes on each index into a
/// dictionary.
///
/// A slot is observable if neither it nor a parent is null, and if the lists and unions above it
/// refer to it. Each slot is visited at most once, even if list views overlap, and so is each run.
/// The time of a walk thus grows with the bytes of the columns, for any references.
///
/// The offsets of the columns must be valid. Dictionaries are not entered.
public final class DictionaryReferences {

  private static final Walk NONE = _ -> Long.MAX_VALUE;

  /// The number of slots between two reports of progress.
  private static final int PROGRESS_SLOTS = 1 << 16;

  private final LongFunction<LongConsumer> receivers;
  private final SegmentAllocator scratch;
  private final LongConsumer progress;
  private long slotCount;

  /// A walk over an array and its descendants.
  interface Walk {

    /// Visits a slot that was not visited before.
    ///
    /// @return a later slot; between the two, no slot has an index that was not passed on
    long visit(long slot);
  }

  private DictionaryReferences(
      LongFunction<LongConsumer> receivers, SegmentAllocator scratch, LongConsumer progress) {
    this.receivers = receivers;
    this.scratch = scratch;
    this.progress = progress;
  }

  /// Passes on the indices of all rows, in the order of the rows and, within a row, of the columns.
  ///
  /// @param length the number of rows
  /// @param receivers returns the receiver of indices into the dictionary with an id
  /// @param scratch for what was visited, until this returns; a few bytes for each list view, slot
  ///   of a dense union or run
  /// @param progress called now and then with the number of slots since the last call; ends the
  ///   walk by an exception
  public static void forEach(
      List<ArrayData> columns,
      long length,
      LongFunction<LongConsumer> receivers,
      SegmentAllocator scratch,
      LongConsumer progress) {
    DictionaryReferences references = new DictionaryReferences(receivers, scratch, progress);
    references.visit(references.slots(columns, MemorySegment.NULL), 0, length);
  }

  private Walk walk(ArrayData data) {
    MemorySegment validity = data.validity();
    return switch (Array.of(data)) {
      case Array.DictionaryEncoded array -> {
        DictionaryEncoding encoding = Objects.requireNonNull(data.field().dictionary());
        LongConsumer receiver = receivers.apply(encoding.id());
        yield slot -> {
          if (isValid(validity, slot)) {
            receiver.accept(array.index(slot));
          }
          return slot + 1;
        };
      }
      case Array.VariableList array -> lists(array, walk(data.children().getFirst()));
      case Array.FixedSizeList array -> fixedSizeLists(array, walk(data.children().getFirst()));
      case Array.ListView array -> listViews(array, walk(data.children().getFirst()));
      case Array.Struct _ -> slots(data.children(), validity);
      case Array.Union array -> union(array);
      case Array.RunEndEncoded array -> runs(array, walk(data.children().getLast()));
      case Array.Null _,
          Array.Bool _,
          Array.FixedWidth _,
          Array.VariableBinary _,
          Array.BinaryView _ ->
          NONE;
    };
  }

  /// Returns the walk over the same slots of several arrays.
  private Walk slots(List<ArrayData> arrays, MemorySegment validity) {
    List<Walk> walks = arrays.stream().map(this::walk).filter(walk -> walk != NONE).toList();
    if (walks.isEmpty()) {
      return NONE;
    }
    return new Slots(walks, validity);
  }

  private Walk lists(Array.VariableList lists, Walk items) {
    MemorySegment validity = lists.data().validity();
    return items == NONE
        ? NONE
        : slot -> {
          if (isValid(validity, slot)) {
            visit(items, lists.start(slot), lists.end(slot));
          }
          return slot + 1;
        };
  }

  private Walk fixedSizeLists(Array.FixedSizeList lists, Walk items) {
    int listSize = lists.listSize();
    MemorySegment validity = lists.data().validity();
    return items == NONE || listSize == 0
        ? NONE
        : slot -> {
          if (!isValid(validity, slot)) {
            return slot + 1;
          }
          // A run of items may continue through lists that have no bytes.
          long next = visit(items, lists.start(slot), lists.end(slot));
          return Math.max(slot + 1, next / listSize);
        };
  }

  private Walk listViews(Array.ListView lists, Walk items) {
    MemorySegment validity = lists.data().validity();
    if (items == NONE) {
      return NONE;
    }
    FirstVisits.Ranges ranges =
        receiver -> {
          for (long slot = 0; slot < lists.length(); slot++) {
            countSlot();
            if (isValid(validity, slot)) {
              receiver.accept(0, lists.start(slot), lists.end(slot));
            }
          }
        };
    FirstVisits visits = FirstVisits.of(lists.data().children(), ranges, scratch).getFirst();
    FirstVisits.Visitor visitor = (start, end) -> visit(items, start, end);
    return slot -> {
      if (isValid(validity, slot)) {
        visits.visit(lists.start(slot), lists.end(slot), visitor);
      }
      return slot + 1;
    };
  }

  private Walk union(Array.Union union) {
    List<Walk> children = union.data().children().stream().map(this::walk).toList();
    if (children.stream().allMatch(child -> child == NONE)) {
      return NONE;
    }
    int[] childIndices = ChildRange.childIndices(union.type());
    MemorySegment typeIds = union.data().buffer(BufferRole.TYPE_IDS);
    if (union.type().mode() == UnionMode.SPARSE) {
      return slot -> {
        children.get(childIndices[LittleEndian.getInt8(typeIds, slot)]).visit(slot);
        return slot + 1;
      };
    }
    Integers offsets = Integers.of(union.data(), BufferRole.SLOT_OFFSETS);
    FirstVisits.Ranges ranges =
        receiver -> {
          for (long slot = 0; slot < union.length(); slot++) {
            countSlot();
            int child = childIndices[LittleEndian.getInt8(typeIds, slot)];
            if (children.get(child) != NONE) {
              receiver.accept(child, offsets.get(slot), offsets.get(slot) + 1);
            }
          }
        };
    List<FirstVisits> visits = FirstVisits.of(union.data().children(), ranges, scratch);
    List<FirstVisits.Visitor> visitors =
        children.stream()
            .<FirstVisits.Visitor>map(child -> (start, end) -> visit(child, start, end))
            .toList();
    return slot -> {
      int child = childIndices[LittleEndian.getInt8(typeIds, slot)];
      if (children.get(child) != NONE) {
        long childSlot = offsets.get(slot);
        visits.get(child).visit(childSlot, childSlot + 1, visitors.get(child));
      }
      return slot + 1;
    };
  }

  private Walk runs(Array.RunEndEncoded runs, Walk values) {
    if (values == NONE) {
      return NONE;
    }
    long runCount = runs.runEnds().length();
    MemorySegment visited = scratch.allocate(Bitmaps.byteSize(runCount), 1).fill((byte) 0);
    return slot -> {
      long run = runs.run(slot);
      if (!Bitmaps.get(visited, run)) {
        Bitmaps.set(visited, run);
        values.visit(run);
      }
      return Math.max(slot + 1, runs.runEnds().integer(run));
    };
  }

  /// Visits the slots from `start` to `end`.
  ///
  /// @return a slot from `end` on, as [Walk#visit]
  private long visit(Walk walk, long start, long end) {
    long slot = start;
    while (slot < end) {
      countSlot();
      slot = walk.visit(slot);
    }
    return slot;
  }

  private void countSlot() {
    slotCount++;
    if (slotCount % PROGRESS_SLOTS == 0) {
      progress.accept(PROGRESS_SLOTS);
    }
  }

  /// The walk over the same slots of several arrays. While slots ascend, an array is left out until
  /// it has further indices.
  private static final class Slots implements Walk {

    private final List<Walk> walks;
    private final MemorySegment validity;
    private final long[] next;
    private long last;

    Slots(List<Walk> walks, MemorySegment validity) {
      this.walks = walks;
      this.validity = validity;
      this.next = new long[walks.size()];
    }

    @Override
    public long visit(long slot) {
      if (!isValid(validity, slot)) {
        return slot + 1;
      }
      if (slot < last) {
        Arrays.fill(next, 0);
      }
      last = slot;
      long first = Long.MAX_VALUE;
      for (int i = 0; i < next.length; i++) {
        if (next[i] <= slot) {
          next[i] = walks.get(i).visit(slot);
        }
        first = Math.min(first, next[i]);
      }
      return first;
    }
  }

  private static boolean isValid(MemorySegment validity, long slot) {
    return validity.byteSize() == 0 || Bitmaps.get(validity, slot);
  }
}
