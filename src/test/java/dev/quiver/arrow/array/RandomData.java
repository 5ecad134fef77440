package dev.quiver.arrow.array;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.IntervalUnit;
import dev.quiver.arrow.type.IntervalValue;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.arrow.type.UnionMode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A generator of schemas and values from a seed: all types, nested, dictionary-encoded, and with
/// metadata.
///
/// The values have the Java types of [Values] and lie in the domain of their Arrow types, so every
/// writer and reader accepts them.
public class RandomData {

  private static final long DAY_MILLISECONDS = 86_400_000;

  protected final Random random;
  private final Map<Long, List<@Nullable Object>> dictionaries = new HashMap<>();
  private final List<Field> dictionaryFields = new ArrayList<>();

  public RandomData(long seed) {
    this.random = new Random(seed);
  }

  /// Returns a schema of up to five columns, nested up to `depth` levels.
  public Schema schema(int depth) {
    List<Field> fields = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      fields.add(field("f" + i, depth));
    }
    return new Schema(fields, metadata(), Endianness.LITTLE, List.of());
  }

  /// Returns the dictionary values of all schemas generated so far, by id.
  public Map<Long, List<@Nullable Object>> dictionaries() {
    return dictionaries;
  }

  /// Returns a field of any type.
  public Field field(String name, int depth) {
    Field field = plain(name, random.nextBoolean(), type(depth), depth).withMetadata(metadata());
    return random.nextInt(5) == 0 ? dictionaryEncoded(field) : field;
  }

  /// Returns a dictionary-encoded field whose values are of any type that has values.
  public Field dictionaryEncoded(
      String name, boolean nullable, ArrowType.Int indexType, int depth) {
    while (true) {
      Field field = dictionaryEncoded(plain(name, nullable, type(depth), depth));
      DictionaryEncoding encoding = field.dictionary();
      if (encoding != null) {
        return field.withDictionary(
            new DictionaryEncoding(encoding.id(), indexType, encoding.ordered()));
      }
    }
  }

  /// Returns a field of this type, with children of any type.
  public Field plain(String name, boolean nullable, ArrowType type, int depth) {
    Field[] children =
        switch (type) {
          case ArrowType.List(),
              ArrowType.LargeList(),
              ArrowType.ListView(),
              ArrowType.LargeListView(),
              ArrowType.FixedSizeList _ ->
              new Field[] {field("item", depth - 1)};
          case ArrowType.Struct() ->
              IntStream.range(0, random.nextInt(4))
                  .mapToObj(i -> field("child" + i, depth - 1))
                  .toArray(Field[]::new);
          case ArrowType.Map _ ->
              new Field[] {
                Field.of(
                    "entries",
                    false,
                    new ArrowType.Struct(),
                    plain("key", false, scalarType(), 0),
                    field("value", depth - 1))
              };
          case ArrowType.Union(_, List<Integer> typeIds) ->
              IntStream.range(0, typeIds.size())
                  .mapToObj(i -> field("child" + i, depth - 1))
                  .toArray(Field[]::new);
          case ArrowType.RunEndEncoded() ->
              new Field[] {
                Field.of("run_ends", false, new ArrowType.Int(16 << random.nextInt(3), true)),
                field("values", depth - 1)
              };
          default -> new Field[0];
        };
    return Field.of(name, nullable, type, children);
  }

  /// Returns `count` values of the field.
  public List<@Nullable Object> values(Field field, int count) {
    double nulls = field.nullable() ? nullShare(field) : 0;
    List<@Nullable Object> values = new ArrayList<>();
    while (values.size() < count) {
      Object value = value(field, nulls);
      boolean runs = field.storageType() instanceof ArrowType.RunEndEncoded;
      int repeats = runs ? 1 + random.nextInt(4) : 1;
      for (int i = 0; i < repeats && values.size() < count; i++) {
        values.add(value);
      }
    }
    return values;
  }

  /// Returns the share of a nullable field's values to make null, from 0 to 1.
  protected double nullShare(Field field) {
    return pick(0.0, 0.2, 1.0);
  }

  private @Nullable Object value(Field field, double nulls) {
    // Unions and runs have no nulls of their own, but their children may.
    boolean nullable =
        !(field.storageType() instanceof ArrowType.Union
            || field.storageType() instanceof ArrowType.RunEndEncoded);
    if (nullable && random.nextDouble() < nulls) {
      return null;
    }
    if (field.dictionary() != null) {
      List<@Nullable Object> values = dictionaries.get(field.dictionary().id());
      return Objects.requireNonNull(values).get(random.nextInt(values.size()));
    }
    List<Field> children = field.children();
    return switch (field.type()) {
      case ArrowType.Null() -> null;
      case ArrowType.Bool() -> random.nextBoolean();
      case ArrowType.Int(int bitWidth, boolean signed) -> integer(bitWidth, signed);
      case ArrowType.FloatingPoint(Precision precision) ->
          switch (precision) {
            case HALF -> (double) Float.float16ToFloat((short) random.nextInt(0x7C00));
            case SINGLE -> pick((double) (float) random.nextGaussian(), Double.NaN, -0.0);
            case DOUBLE -> pick(random.nextGaussian(), Double.POSITIVE_INFINITY, -0.0);
          };
      case ArrowType.Decimal(int precision, _, _) -> {
        BigInteger magnitude =
            new BigInteger(BigInteger.TEN.pow(precision).bitLength() - 1, random);
        yield random.nextBoolean() ? magnitude : magnitude.negate();
      }
      case ArrowType.Date(DateUnit unit) -> {
        long days = random.nextInt(-100_000, 100_000);
        yield unit == DateUnit.DAY ? days : days * DAY_MILLISECONDS;
      }
      case ArrowType.Time(TimeUnit unit, _) ->
          random.nextLong(
              switch (unit) {
                case SECOND -> DAY_MILLISECONDS / 1000;
                case MILLISECOND -> DAY_MILLISECONDS;
                case MICROSECOND -> DAY_MILLISECONDS * 1000;
                case NANOSECOND -> DAY_MILLISECONDS * 1_000_000;
              });
      case ArrowType.Timestamp _, ArrowType.Duration _ -> random.nextLong();
      case ArrowType.Interval(IntervalUnit unit) ->
          switch (unit) {
            case YEAR_MONTH -> (long) random.nextInt();
            case DAY_TIME -> new IntervalValue.DayTime(random.nextInt(), random.nextInt());
            case MONTH_DAY_NANO ->
                new IntervalValue.MonthDayNano(
                    random.nextInt(), random.nextInt(), random.nextLong());
          };
      case ArrowType.FixedSizeBinary(int byteWidth) -> bytes(byteWidth);
      case ArrowType.Binary(), ArrowType.LargeBinary(), ArrowType.BinaryView() ->
          bytes(pick(0, 5, 12, 13, 40));
      case ArrowType.Utf8(), ArrowType.LargeUtf8(), ArrowType.Utf8View() ->
          pick("", "short", "twelve bytes", "thirteen byte", "Größe, 矢, 😀: a longer text");
      case ArrowType.List(),
          ArrowType.LargeList(),
          ArrowType.ListView(),
          ArrowType.LargeListView(),
          ArrowType.Map _ ->
          list(values(children.getFirst(), random.nextInt(4)));
      case ArrowType.FixedSizeList(int listSize) -> list(values(children.getFirst(), listSize));
      case ArrowType.Struct() -> {
        List<@Nullable Object> tuple = new ArrayList<>();
        children.forEach(child -> tuple.addAll(values(child, 1)));
        yield list(tuple);
      }
      case ArrowType.Union(_, List<Integer> typeIds) -> {
        int childIndex = random.nextInt(typeIds.size());
        Object value = values(children.get(childIndex), 1).getFirst();
        yield new UnionValue(typeIds.get(childIndex), value);
      }
      case ArrowType.RunEndEncoded() -> values(children.getLast(), 1).getFirst();
    };
  }

  /// Returns the field with a dictionary, or unchanged if its type has no values. Fields of the
  /// same type share a dictionary.
  private Field dictionaryEncoded(Field field) {
    Field values = Field.of("", false, field.type(), field.children().toArray(Field[]::new));
    long id = dictionaryFields.indexOf(values);
    if (id < 0) {
      Set<@Nullable Object> distinct = new LinkedHashSet<>(values(values, 5));
      distinct.remove(null);
      if (distinct.isEmpty()) {
        return field;
      }
      id = dictionaryFields.size();
      dictionaryFields.add(values);
      dictionaries.put(id, new ArrayList<>(distinct));
    }
    ArrowType.Int indexType = new ArrowType.Int(8 << random.nextInt(4), random.nextBoolean());
    return field.withDictionary(new DictionaryEncoding(id, indexType, random.nextBoolean()));
  }

  private ArrowType type(int depth) {
    return depth <= 1 || random.nextBoolean() ? scalarType() : nestedType();
  }

  private ArrowType nestedType() {
    return switch (random.nextInt(9)) {
      case 0 -> new ArrowType.List();
      case 1 -> new ArrowType.LargeList();
      case 2 -> new ArrowType.ListView();
      case 3 -> new ArrowType.LargeListView();
      case 4 -> new ArrowType.FixedSizeList(random.nextInt(4));
      case 5 -> new ArrowType.Struct();
      case 6 -> new ArrowType.Map(false);
      case 7 ->
          new ArrowType.Union(
              pick(UnionMode.values()),
              pick(List.of(0), List.of(0, 1), List.of(5, 7, 127), List.of(7, 3)));
      default -> new ArrowType.RunEndEncoded();
    };
  }

  private ArrowType scalarType() {
    return switch (random.nextInt(17)) {
      case 0 -> new ArrowType.Null();
      case 1 -> new ArrowType.Bool();
      case 2 -> new ArrowType.Int(8 << random.nextInt(4), random.nextBoolean());
      case 3 -> new ArrowType.FloatingPoint(pick(Precision.values()));
      case 4 -> {
        int bitWidth = 32 << random.nextInt(4);
        int precision = 1 + random.nextInt(ArrowType.Decimal.maximumPrecision(bitWidth));
        yield new ArrowType.Decimal(precision, random.nextInt(precision + 1), bitWidth);
      }
      case 5 -> new ArrowType.Date(pick(DateUnit.values()));
      case 6 -> {
        TimeUnit unit = pick(TimeUnit.values());
        yield new ArrowType.Time(unit, ArrowType.Time.bitWidthOf(unit));
      }
      case 7 ->
          new ArrowType.Timestamp(
              pick(TimeUnit.values()), random.nextBoolean() ? "Europe/Paris" : null);
      case 8 -> new ArrowType.Duration(pick(TimeUnit.values()));
      case 9 -> new ArrowType.Interval(pick(IntervalUnit.values()));
      case 10 -> new ArrowType.FixedSizeBinary(random.nextInt(20));
      case 11 -> new ArrowType.Binary();
      case 12 -> new ArrowType.LargeBinary();
      case 13 -> new ArrowType.BinaryView();
      case 14 -> new ArrowType.Utf8();
      case 15 -> new ArrowType.LargeUtf8();
      default -> new ArrowType.Utf8View();
    };
  }

  private Object integer(int bitWidth, boolean signed) {
    BigInteger bits = new BigInteger(bitWidth, random);
    BigInteger value = signed ? bits.subtract(BigInteger.TWO.pow(bitWidth - 1)) : bits;
    return value.bitLength() < Long.SIZE ? (Object) value.longValue() : value;
  }

  private ByteString bytes(int byteSize) {
    byte[] bytes = new byte[byteSize];
    random.nextBytes(bytes);
    return ByteString.of(bytes);
  }

  private Metadata metadata() {
    return random.nextInt(4) != 0
        ? Metadata.EMPTY
        : Metadata.of(KeyValue.of("key", "value"), KeyValue.of("a", ""), KeyValue.of("key", "矢"));
  }

  private static List<@Nullable Object> list(List<@Nullable Object> values) {
    return Collections.unmodifiableList(values);
  }

  @SafeVarargs
  private <T> T pick(T... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
