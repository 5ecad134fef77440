package dev.quiver.arrow.statistics;

import static dev.quiver.arrow.statistics.ColumnStatistics.Bound.BYTE_SIZE_MAXIMUM;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.Integers;
import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.statistics.ColumnStatistics.Bound;
import dev.quiver.arrow.statistics.RangeKernels.LongRange;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The extremes of text and binary values, compared by unsigned bytes.
///
/// Only the first [Bound#BYTE_SIZE_MAXIMUM] bytes and the length of a value are compared, since a
/// bound has no more. The first eight bytes of all values of a block become numbers, whose range
/// shows which values, if any, are compared as a whole. If those bytes are the same everywhere, the
/// next eight take their place.
final class BinaryExtremes implements Extremes {

  /// The maximum number of slots of a block. Blocks of long values have fewer.
  private static final int SLOTS = 1024;

  private static final int VIEW_BYTE_SIZE = Array.BinaryView.VIEW_BYTE_SIZE;

  private final boolean isText;
  private final BlockMemory memory;
  private final RangeKernels kernels;
  private final BinaryPrefix minimum = BinaryPrefix.greatest();
  private final BinaryPrefix maximum = BinaryPrefix.least();
  private final LongRange range = new LongRange();
  private final byte[] single = new byte[BYTE_SIZE_MAXIMUM];
  private final long[] offsets = new long[SLOTS + 1];

  /// The considered values of a block: where they start, how long they are, and eight bytes each.
  private final int[] starts = new int[SLOTS];

  private final int[] lengths = new int[SLOTS];
  private final long[] keys = new long[SLOTS];

  /// A bit for each of these values that is compared as a whole.
  private final long[] candidates = new long[SLOTS / Long.SIZE];

  private boolean isEmpty = true;

  BinaryExtremes(boolean isText, BlockMemory memory, RangeKernels kernels) {
    this.isText = isText;
    this.memory = memory;
    this.kernels = kernels;
  }

  @Override
  public long add(ArrayData array, long length, SlotMask mask) {
    if (length == 0) {
      return 0;
    }
    long count =
        switch (array.field().type()) {
          case ArrowType.FixedSizeBinary(int byteWidth) ->
              addFixedWidth(array.buffer(BufferRole.DATA), byteWidth, length, mask);
          case ArrowType.ViewBytes _ -> addViews(array, length, mask);
          default -> addDelimited(array, length, mask);
        };
    isEmpty &= count == 0;
    return count;
  }

  private long addDelimited(ArrayData array, long length, SlotMask mask) {
    Integers ends = Integers.of(array, BufferRole.OFFSETS);
    MemorySegment data = array.buffer(BufferRole.DATA);
    long count = 0;
    int n;
    for (long from = 0; from < length; from += n) {
      n = (int) Math.min(SLOTS, length - from);
      while (n > Long.SIZE && ends.get(from + n) - ends.get(from) > BlockMemory.TEXT_BYTE_SIZE) {
        n = n / 2 + Long.SIZE - 1 & -Long.SIZE;
      }
      int considered = mask.isAll() ? n : mask.read(from, n);
      count += considered;
      if (considered == 0) {
        continue;
      }
      readOffsets(ends, from, n);
      long base = offsets[0];
      if (offsets[n] - base > BlockMemory.TEXT_BYTE_SIZE) {
        for (int i = 0; i < n; i++) {
          if (considered == n || (mask.words()[i >>> 6] >>> (i & 63) & 1) != 0) {
            addSingle(data, offsets[i], offsets[i + 1] - offsets[i]);
          }
        }
        continue;
      }
      if (considered == n) {
        for (int i = 0; i < n; i++) {
          starts[i] = (int) (offsets[i] - base);
          lengths[i] = (int) (offsets[i + 1] - offsets[i]);
        }
      } else {
        int slot = 0;
        for (int first = 0; first < n; first += Long.SIZE) {
          for (long rest = mask.words()[first >>> 6]; rest != 0; rest &= rest - 1) {
            int i = first + Long.numberOfTrailingZeros(rest);
            starts[slot] = (int) (offsets[i] - base);
            lengths[slot++] = (int) (offsets[i + 1] - offsets[i]);
          }
        }
      }
      addBlock(memory.bytes(data, base, (int) (offsets[n] - base)), considered);
    }
    return count;
  }

  private void readOffsets(Integers ends, long from, int n) {
    if (ends.byteWidth() == Long.BYTES) {
      MemorySegment.copy(ends.segment(), LittleEndian.INT64, from << 3, offsets, 0, n + 1);
      return;
    }
    int[] narrow = memory.ints(ends.segment(), from, n + 1);
    for (int i = 0; i <= n; i++) {
      offsets[i] = narrow[i];
    }
  }

  private long addFixedWidth(MemorySegment data, int byteWidth, long length, SlotMask mask) {
    if (byteWidth == 0) {
      return addEmpty(mask.count(length));
    }
    boolean isShort = byteWidth <= BlockMemory.TEXT_BYTE_SIZE / SLOTS;
    long count = 0;
    for (long from = 0; from < length; from += SLOTS) {
      int n = (int) Math.min(SLOTS, length - from);
      int considered = mask.read(from, n);
      count += considered;
      int slot = 0;
      for (int first = 0; first < n; first += Long.SIZE) {
        for (long rest = mask.words()[first >>> 6]; rest != 0; rest &= rest - 1) {
          int i = first + Long.numberOfTrailingZeros(rest);
          if (isShort) {
            starts[slot] = i * byteWidth;
            lengths[slot++] = byteWidth;
          } else {
            addSingle(data, (from + i) * byteWidth, byteWidth);
          }
        }
      }
      if (slot > 0) {
        addBlock(memory.bytes(data, from * byteWidth, n * byteWidth), slot);
      }
    }
    return count;
  }

  /// Adds empty values at once: a batch may have two billion of them without any data.
  private long addEmpty(long count) {
    if (count > 0) {
      starts[0] = 0;
      lengths[0] = 0;
      addBlock(single, 1);
    }
    return count;
  }

  private long addViews(ArrayData array, long length, SlotMask mask) {
    MemorySegment views = array.buffer(BufferRole.VIEWS);
    List<MemorySegment> data = array.variadicBuffers();
    long count = 0;
    for (long from = 0; from < length; from += SLOTS) {
      int n = (int) Math.min(SLOTS, length - from);
      int considered = mask.read(from, n);
      count += considered;
      if (considered > 0) {
        addViews(memory.bytes(views, from * VIEW_BYTE_SIZE, n * VIEW_BYTE_SIZE), data, n, mask);
      }
    }
    return count;
  }

  /// Adds the values of a block of views. The long ones mostly lie close together in one buffer,
  /// and then that part of it is copied once.
  private void addViews(byte[] bytes, List<MemorySegment> data, int n, SlotMask mask) {
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    long buffers = 0;
    int firstBuffer = -1;
    int slot = 0;
    for (int first = 0; first < n; first += Long.SIZE) {
      for (long rest = mask.words()[first >>> 6]; rest != 0; rest &= rest - 1) {
        int view = (first + Long.numberOfTrailingZeros(rest)) * VIEW_BYTE_SIZE;
        int byteSize = (int) LittleEndian.getInt64(bytes, view);
        starts[slot] = view;
        lengths[slot++] = byteSize;
        if (byteSize > Array.BinaryView.INLINE_BYTE_SIZE_MAX) {
          long location = LittleEndian.getInt64(bytes, view + Long.BYTES);
          long start = location >>> Integer.SIZE;
          firstBuffer = firstBuffer < 0 ? (int) location : firstBuffer;
          buffers |= (int) location ^ firstBuffer;
          least = Math.min(least, start);
          greatest = Math.max(greatest, start + byteSize);
        }
      }
    }
    int viewsByteSize = n * VIEW_BYTE_SIZE;
    boolean isTogether =
        firstBuffer < 0 || buffers == 0 && greatest - least <= BlockMemory.TEXT_BYTE_SIZE;
    if (isTogether && firstBuffer >= 0) {
      memory.appendBytes(data.get(firstBuffer), least, (int) (greatest - least), viewsByteSize);
    }
    int count = 0;
    for (int i = 0; i < slot; i++) {
      int view = starts[i];
      int byteSize = lengths[i];
      boolean isInline = byteSize <= Array.BinaryView.INLINE_BYTE_SIZE_MAX;
      long location = isInline ? 0 : LittleEndian.getInt64(bytes, view + Long.BYTES);
      if (isInline || isTogether) {
        starts[count] =
            isInline
                ? view + Integer.BYTES
                : viewsByteSize + (int) ((location >>> Integer.SIZE) - least);
        lengths[count++] = byteSize;
      } else if (mayExtend(
          Integer.reverseBytes((int) (LittleEndian.getInt64(bytes, view) >>> 32)))) {
        addSingle(data.get((int) location), location >>> Integer.SIZE, byteSize);
      }
    }
    addBlock(bytes, count);
  }

  /// Returns whether a value of at least four bytes may be beyond the extremes.
  ///
  /// @param start its first four bytes, the first of them highest
  private boolean mayExtend(int start) {
    return Integer.compareUnsigned(start, (int) (minimum.word(0) >>> Integer.SIZE)) <= 0
        || Integer.compareUnsigned(start, (int) (maximum.word(0) >>> Integer.SIZE)) >= 0;
  }

  private void addSingle(MemorySegment data, long start, long length) {
    int copied = (int) Math.min(BYTE_SIZE_MAXIMUM, length);
    MemorySegment.copy(data, LittleEndian.INT8, start, single, 0, copied);
    minimum.lower(single, 0, length);
    maximum.raise(single, 0, length);
  }

  /// Adds the first values of [#starts] and [#lengths].
  ///
  /// @param bytes an array with at least 32 bytes from each start on
  private void addBlock(byte[] bytes, int count) {
    for (int word = 0; word < BinaryPrefix.WORD_COUNT && count > 0; word++) {
      int skipped = word * Long.BYTES;
      for (int i = 0; i < count; i++) {
        keys[i] =
            BlockMemory.bigEndianWord(bytes, starts[i] + skipped, lengths[i] - skipped)
                ^ Long.MIN_VALUE;
      }
      range.clear();
      kernels.extend(keys, count, null, range);
      long least = minimum.word(word) ^ Long.MIN_VALUE;
      long greatest = maximum.word(word) ^ Long.MIN_VALUE;
      boolean isSame =
          range.minimum == least && range.minimum == range.maximum && range.maximum == greatest;
      if (!isSame || word == BinaryPrefix.WORD_COUNT - 1) {
        addCandidates(bytes, count, range.minimum <= least, range.maximum >= greatest);
        return;
      }
    }
  }

  /// Adds the values whose keys are at the ends of the range.
  private void addCandidates(byte[] bytes, int count, boolean mayLower, boolean mayRaise) {
    if (mayLower) {
      addCandidates(bytes, count, range.minimum, minimum, BinaryPrefix::lower);
    }
    if (mayRaise) {
      addCandidates(bytes, count, range.maximum, maximum, BinaryPrefix::raise);
    }
  }

  private interface Comparison {
    void add(BinaryPrefix extreme, byte[] bytes, int start, long byteSize);
  }

  /// Adds the values with a key to an extreme.
  private void addCandidates(
      byte[] bytes, int count, long key, BinaryPrefix extreme, Comparison comparison) {
    findCandidates(count, key);
    int same = lengthOfSame(extreme, key);
    for (int first = 0; first < count; first += Long.SIZE) {
      for (long rest = candidates[first >>> 6]; rest != 0; rest &= rest - 1) {
        int i = first + Long.numberOfTrailingZeros(rest);
        if (lengths[i] != same) {
          comparison.add(extreme, bytes, starts[i], lengths[i]);
        }
      }
    }
  }

  /// Sets the bits of the values with a key in [#candidates]. In a column of few distinct values
  /// these are many, and in an order that no branch predicts.
  private void findCandidates(int count, long key) {
    Arrays.fill(candidates, 0);
    kernels.test(keys, count, key, 0, candidates);
    int used = count & Long.SIZE - 1;
    if (used != 0) {
      candidates[count >>> 6] &= (1L << used) - 1;
    }
  }

  /// Returns the length of the values with a key that are known to equal an extreme, or -1 if none
  /// is.
  private static int lengthOfSame(BinaryPrefix extreme, long key) {
    return extreme.length() <= Long.BYTES && (key ^ Long.MIN_VALUE) == extreme.word(0)
        ? extreme.length()
        : -1;
  }

  @Override
  public @Nullable Bound minimum() {
    return isEmpty ? null : minimum.roundedDown(isText);
  }

  @Override
  public @Nullable Bound maximum() {
    return isEmpty ? null : maximum.roundedUp(isText);
  }
}
