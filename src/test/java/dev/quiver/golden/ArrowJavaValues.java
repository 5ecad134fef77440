package dev.quiver.golden;

import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalValue;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.DurationVector;
import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.FixedSizeBinaryVector;
import org.apache.arrow.vector.FloatingPointVector;
import org.apache.arrow.vector.IntervalDayVector;
import org.apache.arrow.vector.IntervalMonthDayNanoVector;
import org.apache.arrow.vector.IntervalYearVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.TimeMicroVector;
import org.apache.arrow.vector.TimeMilliVector;
import org.apache.arrow.vector.TimeNanoVector;
import org.apache.arrow.vector.TimeSecVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.ViewVarBinaryVector;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.complex.DenseUnionVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.LargeListViewVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.ListViewVector;
import org.apache.arrow.vector.complex.NonNullableStructVector;
import org.apache.arrow.vector.complex.RunEndEncodedVector;
import org.apache.arrow.vector.complex.UnionVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.jspecify.annotations.Nullable;

/// The values of Arrow Java's vectors, in the form of [dev.quiver.arrow.array.Values].
final class ArrowJavaValues {

  private final DictionaryProvider dictionaries;

  ArrowJavaValues(DictionaryProvider dictionaries) {
    this.dictionaries = dictionaries;
  }

  /// Returns the values of a vector of the field. The vector alone is not enough: that of a sparse
  /// union does not retain the type ids.
  List<@Nullable Object> of(Field field, FieldVector vector) {
    return of(field, vector, 0, vector.getValueCount());
  }

  private List<@Nullable Object> of(Field field, FieldVector vector, int start, int end) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = start; i < end; i++) {
      values.add(of(field, vector, i));
    }
    return Collections.unmodifiableList(values);
  }

  private @Nullable Object of(Field field, FieldVector vector, int index) {
    boolean ownNulls =
        !(vector instanceof UnionVector
            || vector instanceof DenseUnionVector
            || vector instanceof RunEndEncodedVector);
    if (ownNulls && vector.isNull(index)) {
      return null;
    }
    if (field.dictionary() != null) {
      long id = Objects.requireNonNull(vector.getField().getDictionary()).getId();
      int valueIndex = Math.toIntExact(((BaseIntVector) vector).getValueAsLong(index));
      return of(field.withDictionary(null), dictionaries.lookup(id).getVector(), valueIndex);
    }
    Field item = field.children().isEmpty() ? field : field.children().getFirst();
    return switch (vector) {
      case NullVector _ -> null;
      case ExtensionTypeVector<?> extension ->
          of(field, (FieldVector) extension.getUnderlyingVector(), index);
      case BitVector bits -> bits.get(index) != 0;
      case UInt8Vector integers -> unsigned(integers.get(index));
      case BaseIntVector integers -> integers.getValueAsLong(index);
      case FloatingPointVector floats -> floats.getValueAsDouble(index);
      case DecimalVector decimals -> decimals.getObject(index).unscaledValue();
      case Decimal256Vector decimals -> decimals.getObject(index).unscaledValue();
      case DateDayVector dates -> (long) dates.get(index);
      case DateMilliVector dates -> dates.get(index);
      case TimeSecVector times -> (long) times.get(index);
      case TimeMilliVector times -> (long) times.get(index);
      case TimeMicroVector times -> times.get(index);
      case TimeNanoVector times -> times.get(index);
      case TimeStampVector timestamps -> timestamps.get(index);
      case DurationVector durations -> DurationVector.get(durations.getDataBuffer(), index);
      case IntervalYearVector intervals -> (long) intervals.get(index);
      case IntervalDayVector intervals -> {
        ArrowBuf data = intervals.getDataBuffer();
        yield new IntervalValue.DayTime(
            IntervalDayVector.getDays(data, index), IntervalDayVector.getMilliseconds(data, index));
      }
      case IntervalMonthDayNanoVector intervals -> {
        ArrowBuf data = intervals.getDataBuffer();
        yield new IntervalValue.MonthDayNano(
            IntervalMonthDayNanoVector.getMonths(data, index),
            IntervalMonthDayNanoVector.getDays(data, index),
            IntervalMonthDayNanoVector.getNanoseconds(data, index));
      }
      case FixedSizeBinaryVector bytes -> ByteString.of(bytes.get(index));
      case VarBinaryVector bytes -> ByteString.of(bytes.get(index));
      case LargeVarBinaryVector bytes -> ByteString.of(bytes.get(index));
      case ViewVarBinaryVector bytes -> ByteString.of(bytes.get(index));
      case VarCharVector texts -> new String(texts.get(index), StandardCharsets.UTF_8);
      case LargeVarCharVector texts -> new String(texts.get(index), StandardCharsets.UTF_8);
      case ViewVarCharVector texts -> new String(texts.get(index), StandardCharsets.UTF_8);
      case ListVector lists ->
          of(
              item,
              lists.getDataVector(),
              lists.getElementStartIndex(index),
              lists.getElementEndIndex(index));
      case LargeListVector lists ->
          of(
              item,
              lists.getDataVector(),
              Math.toIntExact(lists.getElementStartIndex(index)),
              Math.toIntExact(lists.getElementEndIndex(index)));
      case ListViewVector lists ->
          of(
              item,
              lists.getDataVector(),
              lists.getElementStartIndex(index),
              lists.getElementEndIndex(index));
      case LargeListViewVector lists -> {
        int start = Math.toIntExact(lists.getOffsetBuffer().getLong(8L * index));
        int size = Math.toIntExact(lists.getSizeBuffer().getLong(8L * index));
        yield of(item, lists.getDataVector(), start, start + size);
      }
      case FixedSizeListVector lists ->
          of(
              item,
              lists.getDataVector(),
              lists.getElementStartIndex(index),
              lists.getElementEndIndex(index));
      case NonNullableStructVector structs -> {
        List<@Nullable Object> tuple = new ArrayList<>();
        List<FieldVector> children = structs.getChildrenFromFields();
        for (int i = 0; i < children.size(); i++) {
          tuple.add(of(field.children().get(i), children.get(i), index));
        }
        yield Collections.unmodifiableList(tuple);
      }
      case UnionVector unions -> {
        int typeId = unions.getTypeBuffer().getByte(index);
        int childIndex = childIndex(field, typeId);
        FieldVector child = unions.getChildrenFromFields().get(childIndex);
        yield new UnionValue(typeId, of(field.children().get(childIndex), child, index));
      }
      case DenseUnionVector unions -> {
        byte typeId = unions.getTypeId(index);
        FieldVector child = (FieldVector) unions.getVectorByType(typeId);
        Field childField = field.children().get(childIndex(field, typeId));
        yield new UnionValue(typeId, of(childField, child, unions.getOffset(index)));
      }
      case RunEndEncodedVector runs ->
          of(
              field.children().getLast(),
              runs.getValuesVector(),
              run(runs.getRunEndsVector(), index));
      default -> throw new UnsupportedOperationException(vector.getClass().getName());
    };
  }

  private static int childIndex(Field field, int typeId) {
    return ((ArrowType.Union) field.type()).typeIds().indexOf(typeId);
  }

  private static int run(FieldVector runEnds, int index) {
    int run = 0;
    while (((BaseIntVector) runEnds).getValueAsLong(run) <= index) {
      run++;
    }
    return run;
  }

  private static Object unsigned(long bits) {
    return bits >= 0 ? (Object) bits : new BigInteger(Long.toUnsignedString(bits));
  }
}
