package dev.quiver.arrow.array;

import static dev.quiver.arrow.type.BufferRole.DATA;
import static dev.quiver.arrow.type.BufferRole.OFFSETS;
import static dev.quiver.arrow.type.BufferRole.VALIDITY;

import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferLayout;
import dev.quiver.arrow.type.UnionMode;
import java.util.List;

/// The size that slots of an array take in a message body, compacted and uncompressed, computed
/// without copying.
///
/// The time grows with the slots only for views, list views, dense unions and validity, otherwise
/// with the number of buffers.
public final class BodySize {

  private final int alignment;

  private BodySize(int alignment) {
    this.alignment = alignment;
  }

  /// Returns the bytes of `length` slots from `offset` on, after [Concatenation#compact].
  ///
  /// @param alignment the multiple to which each buffer is padded, in bytes
  public static long byteSize(ArrayData array, long offset, long length, int alignment) {
    return new BodySize(alignment).of(array, offset, length);
  }

  private long of(ArrayData array, long offset, long length) {
    long byteSize = 0;
    for (BufferLayout buffer : array.layout().buffers()) {
      byteSize += padded(bufferByteSize(array, buffer, offset, length));
    }
    if (array.layout().variadic()) {
      ViewUse use = new ViewUse(array, offset, length);
      for (int i = 0; i < use.bufferCount(); i++) {
        byteSize += padded(use.keptByteSize(i));
      }
    }
    return byteSize + ofChildren(array, offset, length);
  }

  private static long bufferByteSize(
      ArrayData array, BufferLayout buffer, long offset, long length) {
    if (buffer.role() == VALIDITY && array.countNulls(offset, length) == 0) {
      return 0;
    }
    if (buffer.role() == OFFSETS && length == 0) {
      // A single zero offset is written because some readers crash on an empty buffer.
      return buffer.bitWidth() >>> 3;
    }
    return buffer.role() == DATA && array.layout().indexOf(OFFSETS) >= 0
        ? ChildRange.ofOffsets(array, offset, length).length()
        : buffer.minimumByteSize(length);
  }

  private long ofChildren(ArrayData array, long offset, long length) {
    List<ArrayData> children = array.children();
    return switch (array.field().storageType()) {
      case ArrowType.VariableList _ ->
          of(children.getFirst(), ChildRange.ofOffsets(array, offset, length));
      case ArrowType.ViewList _ ->
          of(children.getFirst(), ChildRange.ofListViews(array, offset, length));
      case ArrowType.FixedSizeList(int listSize) ->
          of(children.getFirst(), offset * listSize, length * listSize);
      case ArrowType.Union type when type.mode() == UnionMode.DENSE -> {
        ChildRange[] ranges = ChildRange.ofDenseUnion(array, type, offset, length);
        long byteSize = 0;
        for (int i = 0; i < ranges.length; i++) {
          byteSize += of(children.get(i), ranges[i]);
        }
        yield byteSize;
      }
      case ArrowType.RunEndEncoded() -> {
        ChildRange runs = ChildRange.ofRuns(array, offset, length);
        yield of(children.getFirst(), runs) + of(children.getLast(), runs);
      }
      case ArrowType.Null _,
          ArrowType.Bool _,
          ArrowType.FixedWidth _,
          ArrowType.VariableBytes _,
          ArrowType.ViewBytes _,
          ArrowType.Nested _ ->
          children.stream().mapToLong(child -> of(child, offset, length)).sum();
    };
  }

  private long of(ArrayData child, ChildRange range) {
    return of(child, range.start(), range.length());
  }

  private long padded(long byteSize) {
    return Padding.padded(byteSize, alignment);
  }
}
