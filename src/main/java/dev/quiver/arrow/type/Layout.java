package dev.quiver.arrow.type;

import static dev.quiver.arrow.type.BufferRole.DATA;
import static dev.quiver.arrow.type.BufferRole.OFFSETS;
import static dev.quiver.arrow.type.BufferRole.SIZES;
import static dev.quiver.arrow.type.BufferRole.SLOT_OFFSETS;
import static dev.quiver.arrow.type.BufferRole.TYPE_IDS;
import static dev.quiver.arrow.type.BufferRole.VALIDITY;
import static dev.quiver.arrow.type.BufferRole.VIEWS;

import java.util.List;
import java.util.stream.LongStream;

/// The physical layout of a type: its buffers in message order, whether data buffers follow in any
/// number, and the number of children.
///
/// This is the single source of truth: the reader, the writer and the validator walk it. See the
/// columnar specification, *Buffer listing for each layout*.
///
/// @param buffers the buffers that every array of the type has
/// @param variadic whether data buffers follow, as many as `variadicBufferCounts` says
/// @param childCount the number of children, or [#ANY_CHILDREN]
public record Layout(List<BufferLayout> buffers, boolean variadic, int childCount) {

  /// A `childCount` that depends on the schema.
  public static final int ANY_CHILDREN = -1;

  private static final BufferLayout VALIDITY_BITS = new BufferLayout(VALIDITY, 1);
  private static final BufferLayout OFFSETS_32 = new BufferLayout(OFFSETS, 32);
  private static final BufferLayout OFFSETS_64 = new BufferLayout(OFFSETS, 64);
  private static final BufferLayout SLOT_OFFSETS_32 = new BufferLayout(SLOT_OFFSETS, 32);
  private static final BufferLayout SLOT_OFFSETS_64 = new BufferLayout(SLOT_OFFSETS, 64);
  private static final BufferLayout SIZES_32 = new BufferLayout(SIZES, 32);
  private static final BufferLayout SIZES_64 = new BufferLayout(SIZES, 64);
  private static final BufferLayout TYPE_IDS_8 = new BufferLayout(TYPE_IDS, 8);
  private static final BufferLayout VIEWS_128 = new BufferLayout(VIEWS, 128);
  private static final BufferLayout BYTES = new BufferLayout(DATA, 0);

  private static final Layout NULL = new Layout(List.of(), false, 0);
  private static final Layout BINARY =
      new Layout(List.of(VALIDITY_BITS, OFFSETS_32, BYTES), false, 0);
  private static final Layout LARGE_BINARY =
      new Layout(List.of(VALIDITY_BITS, OFFSETS_64, BYTES), false, 0);
  private static final Layout VIEW = new Layout(List.of(VALIDITY_BITS, VIEWS_128), true, 0);
  private static final Layout LIST = new Layout(List.of(VALIDITY_BITS, OFFSETS_32), false, 1);
  private static final Layout LARGE_LIST = new Layout(List.of(VALIDITY_BITS, OFFSETS_64), false, 1);
  private static final Layout LIST_VIEW =
      new Layout(List.of(VALIDITY_BITS, SLOT_OFFSETS_32, SIZES_32), false, 1);
  private static final Layout LARGE_LIST_VIEW =
      new Layout(List.of(VALIDITY_BITS, SLOT_OFFSETS_64, SIZES_64), false, 1);
  private static final Layout FIXED_SIZE_LIST = new Layout(List.of(VALIDITY_BITS), false, 1);
  private static final Layout STRUCT = new Layout(List.of(VALIDITY_BITS), false, ANY_CHILDREN);
  private static final Layout SPARSE_UNION = new Layout(List.of(TYPE_IDS_8), false, ANY_CHILDREN);
  private static final Layout DENSE_UNION =
      new Layout(List.of(TYPE_IDS_8, SLOT_OFFSETS_32), false, ANY_CHILDREN);
  private static final Layout RUN_END_ENCODED = new Layout(List.of(), false, 2);

  private static final long COMMON_BIT_WIDTH_MAXIMUM = 256;

  /// Layouts of slots of 1, 2, 4 … 256 bits, cached since every array looks up its layout at least
  /// once.
  private static final Layout[] COMMON_WIDTHS =
      LongStream.iterate(1, width -> width <= COMMON_BIT_WIDTH_MAXIMUM, width -> 2 * width)
          .mapToObj(Layout::newFixedWidth)
          .toArray(Layout[]::new);

  public Layout {
    buffers = List.copyOf(buffers);
  }

  /// Returns the layout of a field's slots in a record batch: the indices' if dictionary-encoded.
  public static Layout of(Field field) {
    return of(field.storageType());
  }

  public static Layout of(ArrowType type) {
    return switch (type) {
      case ArrowType.Null() -> NULL;
      case ArrowType.Bool() -> fixedWidth(1);
      case ArrowType.Int(int bitWidth, _) -> fixedWidth(bitWidth);
      case ArrowType.FloatingPoint(Precision precision) -> fixedWidth(precision.bitWidth());
      case ArrowType.Decimal(_, _, int bitWidth) -> fixedWidth(bitWidth);
      case ArrowType.Date(DateUnit unit) -> fixedWidth(unit == DateUnit.DAY ? 32 : 64);
      case ArrowType.Time(_, int bitWidth) -> fixedWidth(bitWidth);
      case ArrowType.Timestamp _, ArrowType.Duration _ -> fixedWidth(64);
      case ArrowType.Interval(IntervalUnit unit) -> fixedWidth(unit.bitWidth());
      case ArrowType.FixedSizeBinary(int byteWidth) -> fixedWidth(8L * byteWidth);
      case ArrowType.Binary(), ArrowType.Utf8() -> BINARY;
      case ArrowType.LargeBinary(), ArrowType.LargeUtf8() -> LARGE_BINARY;
      case ArrowType.BinaryView(), ArrowType.Utf8View() -> VIEW;
      case ArrowType.List(), ArrowType.Map _ -> LIST;
      case ArrowType.LargeList() -> LARGE_LIST;
      case ArrowType.ListView() -> LIST_VIEW;
      case ArrowType.LargeListView() -> LARGE_LIST_VIEW;
      case ArrowType.FixedSizeList _ -> FIXED_SIZE_LIST;
      case ArrowType.Struct() -> STRUCT;
      case ArrowType.Union(UnionMode mode, _) ->
          mode == UnionMode.SPARSE ? SPARSE_UNION : DENSE_UNION;
      case ArrowType.RunEndEncoded() -> RUN_END_ENCODED;
    };
  }

  public boolean hasValidity() {
    return !buffers.isEmpty() && buffers.getFirst().role() == VALIDITY;
  }

  /// Returns the position of the buffer with this role, or -1 if absent.
  public int indexOf(BufferRole role) {
    for (int i = 0; i < buffers.size(); i++) {
      if (buffers.get(i).role() == role) {
        return i;
      }
    }
    return -1;
  }

  private static Layout fixedWidth(long bitWidth) {
    boolean common = bitWidth <= COMMON_BIT_WIDTH_MAXIMUM && Long.bitCount(bitWidth) == 1;
    return common ? COMMON_WIDTHS[Long.numberOfTrailingZeros(bitWidth)] : newFixedWidth(bitWidth);
  }

  private static Layout newFixedWidth(long bitWidth) {
    return new Layout(List.of(VALIDITY_BITS, new BufferLayout(DATA, bitWidth)), false, 0);
  }
}
