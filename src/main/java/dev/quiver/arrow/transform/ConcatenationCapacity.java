package dev.quiver.arrow.transform;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.UnionMode;
import org.jspecify.annotations.Nullable;

/// The properties that decide whether arrays of one field can be concatenated.
///
/// @param dictionary the one that the arrays refer to, or null if absent
/// @param length slots in total
/// @param reach the largest offset or run end that the concatenated array may need
/// @param reachMaximum the largest offset or run end that the type allows
record ConcatenationCapacity(
    @Nullable ArrayData dictionary, long length, long reach, long reachMaximum) {

  static ConcatenationCapacity of(ArrayData array) {
    return switch (array.field().storageType()) {
      case ArrowType.Binary(), ArrowType.Utf8() ->
          of32(array, array.buffer(BufferRole.DATA).byteSize());
      case ArrowType.List(), ArrowType.Map _, ArrowType.ListView() ->
          of32(array, array.children().getFirst().length());
      case ArrowType.Union(UnionMode mode, _) when mode == UnionMode.DENSE ->
          of32(array, array.children().stream().mapToLong(ArrayData::length).max().orElse(0));
      case ArrowType.RunEndEncoded() ->
          of(array, array.length(), runEndMaximum(array.children().getFirst()));
      case ArrowType.Null _,
          ArrowType.Bool _,
          ArrowType.FixedWidth _,
          ArrowType.Nested _,
          ArrowType.ViewBytes _,
          ArrowType.VariableBytes _ ->
          of(array, 0, Long.MAX_VALUE);
    };
  }

  /// Returns whether arrays with these properties can be concatenated.
  boolean fits(ConcatenationCapacity other) {
    boolean sameDictionary =
        dictionary == null || other.dictionary == null || dictionary == other.dictionary;
    return sameDictionary
        && other.length <= Long.MAX_VALUE - length
        && other.reach <= reachMaximum - reach;
  }

  ConcatenationCapacity plus(ConcatenationCapacity other) {
    return new ConcatenationCapacity(
        dictionary == null ? other.dictionary : dictionary,
        length + other.length,
        reach + other.reach,
        reachMaximum);
  }

  private static ConcatenationCapacity of32(ArrayData array, long reach) {
    return of(array, reach, Integer.MAX_VALUE);
  }

  private static ConcatenationCapacity of(ArrayData array, long reach, long reachMaximum) {
    return new ConcatenationCapacity(array.dictionary(), array.length(), reach, reachMaximum);
  }

  private static long runEndMaximum(ArrayData runEnds) {
    int bitWidth = ((ArrowType.Int) runEnds.field().type()).bitWidth();
    return Long.MAX_VALUE >>> Long.SIZE - bitWidth;
  }
}
