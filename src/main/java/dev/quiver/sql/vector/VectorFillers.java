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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The fillers for arrays of the types that [ColumnTypes] accepts, for one thread.
public final class VectorFillers implements AutoCloseable {

  private final Library library;
  private final Vectors vectors;
  private final Staging staging = new Staging();
  private Map<DictionaryKey, TemporaryVector> dictionaries = new HashMap<>();

  public VectorFillers(Library library) {
    this.library = library;
    this.vectors = library.vectors();
  }

  /// Returns the fillers for the columns of a batch. Those for the batch before become invalid.
  ///
  /// @param copiesBytes whether text and binary values are copied, since their memory may be freed
  ///   before the statement ends
  public VectorFiller[] create(List<ArrayData> columns, boolean copiesBytes) {
    Map<DictionaryKey, TemporaryVector> earlier = dictionaries;
    dictionaries = new HashMap<>();
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

  /// Returns an array of another field with the same types.
  private static ArrayData typed(ArrayData array, Field field) {
    if (array.field().equals(field)) {
      return array;
    }
    List<ArrayData> children = new ArrayList<>();
    for (int i = 0; i < array.children().size(); i++) {
      children.add(typed(array.children().get(i), field.children().get(i)));
    }
    return new ArrayData(
        field, array.length(), array.nullCount(), array.buffers(), children, array.dictionary());
  }

  /// The values of a dictionary as those of a field. Fields with the same dictionary may have
  /// different extension types.
  private record DictionaryKey(ArrayData values, Field field) {

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof DictionaryKey(ArrayData otherValues, Field otherField)
          && values == otherValues
          && field.equals(otherField);
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(values);
    }
  }

  /// The creation of a batch's fillers.
  private final class Creation {

    private final boolean copiesBytes;
    private final Map<DictionaryKey, TemporaryVector> earlier;

    Creation(boolean copiesBytes, Map<DictionaryKey, TemporaryVector> earlier) {
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
        case ArrowType.Timestamp type -> timestamps(array, type);
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

    private VectorFiller timestamps(ArrayData array, ArrowType.Timestamp type) {
      if (Microseconds.isMarked(array.field())) {
        return converted(array, Long.BYTES, EngineValues::microseconds, "a time in microseconds");
      }
      return ColumnTypes.isZoned(type) && EngineValues.microseconds(type.unit()) > 1
          ? converted(
              array,
              Long.BYTES,
              EngineValues.timestamps(type.unit()),
              "a time in microseconds of at most 64 bits")
          : copied(array, Long.BYTES);
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
      // The values of a dictionary do not state the extension type of its fields.
      Field field = array.field().withDictionary(null);
      ArrayData dictionary = array.dictionary();
      ArrayData values = dictionary == null ? ArrayData.empty(field) : typed(dictionary, field);
      DictionaryKey key = new DictionaryKey(dictionary == null ? values : dictionary, field);
      VectorFiller filler = create(values, false);
      TemporaryVector vector = dictionaries.get(key);
      if (vector == null) {
        vector = earlier.remove(key);
      }
      if (vector == null) {
        vector = DictionaryFiller.vector(library, values, filler);
      }
      dictionaries.put(key, vector);
      return new DictionaryFiller(array, vectors, vector, filler, whole);
    }
  }
}
