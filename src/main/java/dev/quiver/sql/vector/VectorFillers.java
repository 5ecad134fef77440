package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.sql.library.Library;
import dev.quiver.sql.library.Vectors;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/// The fillers for arrays of the types that [ColumnTypes] accepts, for one thread.
public final class VectorFillers implements AutoCloseable {

  private final Library library;
  private final Vectors vectors;
  private final Staging staging = new Staging();
  private Map<ArrayData, TemporaryVector> dictionaries = new IdentityHashMap<>();

  public VectorFillers(Library library) {
    this.library = library;
    this.vectors = library.vectors();
  }

  /// Returns the fillers for the columns of a batch. Those for the batch before become invalid.
  ///
  /// @param copiesBytes whether text and binary values are copied, since their memory may be freed
  ///   before the statement ends
  public VectorFiller[] create(List<ArrayData> columns, boolean copiesBytes) {
    Map<ArrayData, TemporaryVector> earlier = dictionaries;
    dictionaries = new IdentityHashMap<>();
    Creation creation = new Creation(copiesBytes, earlier);
    try {
      return columns.stream()
          .map(column -> creation.create(column, true))
          .toArray(VectorFiller[]::new);
    } finally {
      earlier.values().forEach(TemporaryVector::close);
    }
  }

  /// Frees the vectors of dictionaries.
  @Override
  public void close() {
    dictionaries.values().forEach(TemporaryVector::close);
    dictionaries.clear();
  }

  /// The creation of a batch's fillers.
  private final class Creation {

    private final boolean copiesBytes;
    private final Map<ArrayData, TemporaryVector> earlier;

    Creation(boolean copiesBytes, Map<ArrayData, TemporaryVector> earlier) {
      this.copiesBytes = copiesBytes;
      this.earlier = earlier;
    }

    /// @param whole whether the vectors are columns of a chunk, not children of other vectors
    VectorFiller create(ArrayData array, boolean whole) {
      Field field = array.field();
      if (field.dictionary() != null) {
        return dictionaryEncoded(array, whole);
      }
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
        case ArrowType.VariableBytes _ -> new BytesFiller(array, vectors, copiesBytes);
        case ArrowType.FixedSizeBinary _ ->
            field.isUuid()
                ? new UuidFiller(array, vectors)
                : new BytesFiller(array, vectors, copiesBytes);
        case ArrowType.ViewBytes _ -> new ViewFiller(array, vectors, copiesBytes ? staging : null);
        case ArrowType.List(), ArrowType.LargeList() ->
            new ListFiller(array, vectors, child(array, 0));
        case ArrowType.Map _ -> new MapFiller(array, vectors, child(array, 0));
        case ArrowType.ViewList _ -> new ListViewFiller(array, vectors, child(array, 0));
        case ArrowType.FixedSizeList(int size) ->
            new FixedSizeListFiller(array, vectors, child(array, 0), size);
        case ArrowType.Struct() -> new StructFiller(array, vectors, children(array));
        case ArrowType.Union type -> new UnionFiller(array, vectors, children(array), type);
        case ArrowType.RunEndEncoded() ->
            new RunFiller(array, library, create(array.children().getLast(), false), whole);
      };
    }

    private VectorFiller child(ArrayData array, int index) {
      return create(array.children().get(index), false);
    }

    private VectorFiller[] children(ArrayData array) {
      return array.children().stream()
          .map(child -> create(child, false))
          .toArray(VectorFiller[]::new);
    }

    private VectorFiller dictionaryEncoded(ArrayData array, boolean whole) {
      ArrayData dictionary = array.dictionary();
      ArrayData values =
          dictionary == null ? ArrayData.empty(array.field().withDictionary(null)) : dictionary;
      VectorFiller filler = create(values, false);
      TemporaryVector vector = dictionaries.get(values);
      if (vector == null) {
        vector = earlier.remove(values);
      }
      if (vector == null) {
        vector = DictionaryFiller.vector(library, values, filler);
      }
      dictionaries.put(values, vector);
      return new DictionaryFiller(array, vectors, vector, filler, whole);
    }
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
