package dev.quiver.engine.scan;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.DateUnit;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Precision;
import dev.quiver.columnar.TimeUnit;
import dev.quiver.engine.library.Library;
import dev.quiver.engine.library.Vectors;

/// The fillers for arrays of the types that [ColumnTypes] accepts, for one thread.
public final class VectorFillers {

  private final Vectors vectors;
  private final Staging staging = new Staging();

  public VectorFillers(Library library) {
    this.vectors = library.vectors();
  }

  /// Returns the filler for a column.
  ///
  /// @param copiesBytes whether text and binary values are copied, since their memory may be freed
  ///   before the statement ends
  public VectorFiller create(ArrayData array, boolean copiesBytes) {
    Field field = array.field();
    return switch (field.type()) {
      case ArrowType.Null() -> new NullFiller(array, vectors);
      case ArrowType.Bool() -> new BooleanFiller(array, vectors);
      case ArrowType.Int(int bitWidth, _) ->
          ColumnTypes.isBool8(field)
              ? new BooleanFiller(array, vectors)
              : new FixedWidthFiller(array, vectors, bitWidth >>> 3);
      case ArrowType.FloatingPoint(Precision precision) ->
          precision == Precision.HALF
              ? new HalfFloatFiller(array, vectors)
              : new FixedWidthFiller(array, vectors, precision.bitWidth() >>> 3);
      case ArrowType.Decimal _ -> new DecimalFiller(array, vectors);
      case ArrowType.Date(DateUnit unit) ->
          unit == DateUnit.DAY
              ? new FixedWidthFiller(array, vectors, Integer.BYTES)
              : new MillisecondDateFiller(array, vectors);
      case ArrowType.Time(TimeUnit unit, int bitWidth) ->
          bitWidth == Long.SIZE
              ? new FixedWidthFiller(array, vectors, Long.BYTES)
              : new ScaledFiller(array, vectors, false, microseconds(unit));
      case ArrowType.Timestamp type ->
          ColumnTypes.isZoned(type) && microseconds(type.unit()) > 1
              ? new ScaledFiller(array, vectors, true, microseconds(type.unit()))
              : new FixedWidthFiller(array, vectors, Long.BYTES);
      case ArrowType.Duration _, ArrowType.Interval _ -> new IntervalFiller(array, vectors);
      case ArrowType.Utf8(), ArrowType.LargeUtf8(), ArrowType.Binary(), ArrowType.LargeBinary() ->
          new BytesFiller(array, vectors, copiesBytes);
      case ArrowType.FixedSizeBinary _ ->
          ColumnTypes.isUuid(field)
              ? new UuidFiller(array, vectors)
              : new BytesFiller(array, vectors, copiesBytes);
      case ArrowType.Utf8View(), ArrowType.BinaryView() ->
          new ViewFiller(array, vectors, copiesBytes ? staging : null);
      case ArrowType.List(),
          ArrowType.LargeList(),
          ArrowType.ListView(),
          ArrowType.LargeListView(),
          ArrowType.FixedSizeList _,
          ArrowType.Struct(),
          ArrowType.Map _,
          ArrowType.Union _,
          ArrowType.RunEndEncoded() ->
          throw new IllegalStateException(field.toString());
    };
  }

  /// Returns the unit in microseconds, or 1 if it is not coarser.
  private static long microseconds(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 1_000_000;
      case MILLISECOND -> 1000;
      case MICROSECOND, NANOSECOND -> 1;
    };
  }
}
