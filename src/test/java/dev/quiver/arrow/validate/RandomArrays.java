package dev.quiver.arrow.validate;

import static dev.quiver.arrow.validate.RawArray.NONE;
import static dev.quiver.arrow.validate.RawArray.array;

import dev.quiver.arrow.memory.Bitmaps;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.UnionMode;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// A generator of random nested arrays with nulls at every level, which hide everything below them.
final class RandomArrays {

  private final Random random;
  private final boolean dates;

  private RandomArrays(Random random, boolean dates) {
    this.random = random;
    this.dates = dates;
  }

  /// Returns a generator of arrays of indices and one-byte texts: mostly `a`, some invalid UTF-8.
  static RandomArrays ofTexts(Random random) {
    return new RandomArrays(random, false);
  }

  /// Returns a generator of arrays of dates, some of which are not whole days. Some fields are not
  /// nullable.
  static RandomArrays ofDates(Random random) {
    return new RandomArrays(random, true);
  }

  RawArray next(int length, int depth) {
    if (depth == 0 && dates) {
      return dates(length);
    }
    if (depth == 0) {
      return random.nextInt(4) == 0 ? indices(length) : text(length);
    }
    return switch (random.nextInt(9)) {
      case 0 -> nullable(new ArrowType.Struct(), length).children(next(length, depth - 1));
      case 1 -> lists(new ArrowType.List(), length, depth, true);
      case 2 -> lists(new ArrowType.LargeList(), length, depth, false);
      case 3 -> listViews(length, depth);
      case 4 ->
          nullable(new ArrowType.FixedSizeList(2), length).children(next(2 * length, depth - 1));
      case 5 -> sparseUnion(length, depth);
      case 6 -> denseUnion(length, depth);
      case 7 -> runs(length, depth);
      default -> dates ? dates(length) : text(length);
    };
  }

  private RawArray dates(int length) {
    long[] milliseconds = new long[length];
    for (int i = 0; i < length; i++) {
      milliseconds[i] = random.nextInt(20) == 0 ? 86_399_999 : 86_400_000;
    }
    return nullable(
        new ArrowType.Date(DateUnit.MILLISECOND), length, RawArray.int64s(milliseconds));
  }

  private RawArray text(int length) {
    int[] offsets = new int[length + 1];
    int[] bytes = new int[length];
    for (int i = 0; i < length; i++) {
      offsets[i + 1] = i + 1;
      bytes[i] = random.nextInt(12) == 0 ? 0xFF : 'a';
    }
    return nullable(RawArray.UTF8, length, RawArray.int32s(offsets), RawArray.int8s(bytes));
  }

  /// Returns indices into a dictionary of one value. Some are out of range.
  private RawArray indices(int length) {
    int[] indices = new int[length];
    for (int i = 0; i < length; i++) {
      indices[i] = random.nextInt(12) == 0 ? 1 : 0;
    }
    return nullable(RawArray.UTF8, length, RawArray.int8s(indices))
        .indices(new ArrowType.Int(8, true), RawArray.utf8Array("a"));
  }

  private RawArray lists(ArrowType type, int length, int depth, boolean narrow) {
    int[] offsets = ends(random.nextInt(3), length, 3);
    long[] wide = Arrays.stream(offsets).asLongStream().toArray();
    int childLength = offsets[length] + random.nextInt(3);
    return nullable(type, length, narrow ? RawArray.int32s(offsets) : RawArray.int64s(wide))
        .children(next(childLength, depth - 1));
  }

  private RawArray listViews(int length, int depth) {
    int childLength = length + random.nextInt(3);
    int[] offsets = new int[length];
    int[] sizes = new int[length];
    for (int i = 0; i < length; i++) {
      offsets[i] = random.nextInt(childLength + 1);
      sizes[i] = random.nextInt(Math.min(4, childLength - offsets[i] + 1));
    }
    return nullable(
            new ArrowType.ListView(), length, RawArray.int32s(offsets), RawArray.int32s(sizes))
        .children(next(childLength, depth - 1));
  }

  private RawArray sparseUnion(int length, int depth) {
    return array(new ArrowType.Union(UnionMode.SPARSE, List.of(3, 0)), length, typeIds(length))
        .children(next(length, depth - 1), next(length + 1, depth - 1));
  }

  private RawArray denseUnion(int length, int depth) {
    MemorySegment typeIds = typeIds(length);
    int[] offsets = new int[length];
    int[] ends = new int[2];
    for (int i = 0; i < length; i++) {
      int child = LittleEndian.getInt8(typeIds, i) == 3 ? 0 : 1;
      ends[child] += random.nextInt(3);
      offsets[i] = ends[child];
    }
    return array(
            new ArrowType.Union(UnionMode.DENSE, List.of(3, 0)),
            length,
            typeIds,
            RawArray.int32s(offsets))
        .children(next(ends[0] + 1, depth - 1), next(ends[1] + 1, depth - 1));
  }

  private MemorySegment typeIds(int length) {
    int[] typeIds = new int[length];
    for (int i = 0; i < length; i++) {
      typeIds[i] = random.nextBoolean() ? 3 : 0;
    }
    return RawArray.int8s(typeIds);
  }

  private RawArray runs(int length, int depth) {
    int[] runEnds = new int[length];
    int end = 0;
    for (int i = 0; i < length; i++) {
      end += 1 + random.nextInt(3);
      runEnds[i] = end;
    }
    return array(new ArrowType.RunEndEncoded(), length)
        .children(RawArray.int32Array(runEnds), next(length + random.nextInt(2), depth - 1));
  }

  private int[] ends(int first, int length, int step) {
    int[] ends = new int[length + 1];
    ends[0] = first;
    for (int i = 0; i < length; i++) {
      ends[i + 1] = ends[i] + random.nextInt(step);
    }
    return ends;
  }

  private RawArray nullable(ArrowType type, int length, MemorySegment... buffersAfterValidity) {
    MemorySegment[] buffers = new MemorySegment[buffersAfterValidity.length + 1];
    System.arraycopy(buffersAfterValidity, 0, buffers, 1, buffersAfterValidity.length);
    int perMille = new int[] {0, 30, 500, 900}[random.nextInt(4)];
    int nulls = 0;
    MemorySegment validity = RawArray.int8s(new int[(int) Bitmaps.byteSize(length)]);
    for (int i = 0; i < length; i++) {
      if (random.nextInt(1000) < perMille) {
        nulls++;
      } else {
        Bitmaps.set(validity, i);
      }
    }
    buffers[0] = nulls == 0 ? NONE : validity;
    RawArray given = array(type, length, buffers).nulls(nulls);
    return dates && random.nextInt(10) == 0 ? given.required() : given;
  }
}
