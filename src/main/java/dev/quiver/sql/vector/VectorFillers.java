package dev.quiver.sql.vector;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.sql.library.Library;
import dev.quiver.sql.library.Vectors;
import dev.quiver.sql.vector.ConvertedFiller.Conversion;
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
        case ArrowType.Bool() -> converted(array, 1, EngineValues::bits);
        case ArrowType.Int(int bitWidth, _) ->
            ColumnTypes.isBool8(field)
                ? converted(array, 1, EngineValues::bytes)
                : copied(array, bitWidth >>> 3);
        case ArrowType.FloatingPoint(Precision precision) ->
            precision == Precision.HALF
                ? converted(array, Float.BYTES, EngineValues::halves)
                : copied(array, precision.bitWidth() >>> 3);
        case ArrowType.Decimal type -> {
          EngineDecimals conversion = new EngineDecimals(type);
          yield converted(
              array, conversion.byteWidth(), conversion, "as many digits as the precision allows");
        }
        case ArrowType.Date(DateUnit unit) ->
            unit == DateUnit.DAY
                ? copied(array, Integer.BYTES)
                : converted(array, Integer.BYTES, EngineValues::dates, "a date of whole days");
        case ArrowType.Time(TimeUnit unit, int bitWidth) ->
            bitWidth == Long.SIZE
                ? copied(array, Long.BYTES)
                : converted(array, Long.BYTES, EngineValues.times(unit));
        case ArrowType.Timestamp type ->
            ColumnTypes.isZoned(type) && EngineValues.microseconds(type.unit()) > 1
                ? converted(
                    array,
                    Long.BYTES,
                    EngineValues.timestamps(type.unit()),
                    "a time in microseconds of at most 64 bits")
                : copied(array, Long.BYTES);
        case ArrowType.Duration(TimeUnit unit) ->
            converted(
                array,
                EngineValues.WIDE_BYTE_SIZE,
                unit == TimeUnit.NANOSECOND
                    ? EngineValues::nanoseconds
                    : EngineValues.durations(unit),
                "a duration of whole microseconds in 64 bits");
        case ArrowType.Interval(IntervalUnit unit) ->
            converted(
                array,
                EngineValues.WIDE_BYTE_SIZE,
                switch (unit) {
                  case YEAR_MONTH -> EngineValues::months;
                  case DAY_TIME -> EngineValues::days;
                  case MONTH_DAY_NANO -> EngineValues::intervals;
                },
                "an interval of whole microseconds");
        case ArrowType.VariableBytes _ -> new BytesFiller(array, vectors, copiesBytes);
        case ArrowType.FixedSizeBinary _ ->
            field.isUuid()
                ? converted(array, EngineValues.WIDE_BYTE_SIZE, EngineValues::uuids)
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

    private VectorFiller copied(ArrayData array, int byteWidth) {
      return converted(array, byteWidth, EngineValues.same(byteWidth));
    }

    private VectorFiller converted(ArrayData array, int byteWidth, Conversion conversion) {
      return converted(array, byteWidth, conversion, "a value");
    }

    private VectorFiller converted(
        ArrayData array, int byteWidth, Conversion conversion, String expected) {
      return new ConvertedFiller(array, vectors, byteWidth, conversion, expected);
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
}
