package dev.quiver.arrow.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.ColumnStatistics.Bound;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.BufferRole;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Statistics from each value as a Java object, to which those of the calculator are compared.
public final class ReferenceStatistics {

  private static final int SIZE = Bound.BYTE_SIZE_MAXIMUM;

  private ReferenceStatistics() {}

  /// Requires the statistics of a batch to be right.
  public static void require(BatchStatistics found, Schema schema, RecordBatch batch) {
    List<LeafColumn> leaves = LeafColumn.of(schema);
    assertThat(found.columns()).hasSize(leaves.size());
    assertThat(BatchStatistics.read(found.write())).isEqualTo(found);
    for (int i = 0; i < leaves.size(); i++) {
      LeafColumn leaf = leaves.get(i);
      require(found.columns().get(i), leaf, values(leaf, batch.columns()));
    }
  }

  /// Returns the values of a leaf column; a slot under a null struct is null.
  public static List<@Nullable Object> values(LeafColumn leaf, List<ArrayData> columns) {
    List<@Nullable Object> values = Values.of(columns.get(leaf.indices().getFirst()));
    for (int index : leaf.indices().subList(1, leaf.indices().size())) {
      List<@Nullable Object> children = new ArrayList<>();
      values.forEach(tuple -> children.add(tuple == null ? null : ((List<?>) tuple).get(index)));
      values = children;
    }
    return values;
  }

  private static void require(
      ColumnStatistics found, LeafColumn leaf, List<@Nullable Object> values) {
    String about = leaf.field() + ": " + found;
    long nulls = values.stream().filter(Objects::isNull).count();
    ArrowType type = leaf.values().type();
    if (isCounted(leaf.field()) || found.nullCount() != ColumnStatistics.UNKNOWN) {
      assertThat(found.nullCount()).as(about).isEqualTo(nulls);
    }
    assertThat(found.bounded()).as(about).isEqualTo(isBounded(leaf.field()));
    assertThat(found.isWholeMicroseconds())
        .as(about)
        .isEqualTo(
            found.bounded()
                && leaf.values().hasZonedNanoseconds()
                && values.stream().allMatch(value -> value == null || (long) value % 1000 == 0));
    List<Object> present = new ArrayList<>();
    boolean nan = false;
    for (Object value : values) {
      boolean isNan = value instanceof Double number && number.isNaN();
      nan |= isNan;
      if (value != null && !isNan) {
        present.add(value);
      }
    }
    if (!found.bounded() || present.isEmpty()) {
      assertThat(found.minimum()).as(about).isNull();
      assertThat(found.maximum()).as(about).isNull();
      assertThat(found.hasNan()).as(about).isEqualTo(found.bounded() && nan);
      return;
    }
    assertThat(found.hasNan()).as(about).isEqualTo(nan);
    Comparator<Object> order = ReferenceStatistics::compare;
    Object least = present.stream().min(order).orElseThrow();
    Object greatest = present.stream().max(order).orElseThrow();
    if (least instanceof String || least instanceof ByteString) {
      requireLower(found.minimum(), bytes(least), least instanceof String, about);
      requireUpper(found.maximum(), bytes(greatest), least instanceof String, about);
    } else {
      assertThat(found.minimum()).as(about).isEqualTo(new Bound(encoded(type, least), true));
      assertThat(found.maximum()).as(about).isEqualTo(new Bound(encoded(type, greatest), true));
    }
    ArrayData bounds = leaf.bounds(found);
    assertThat(compare(Values.of(bounds).getFirst(), least)).as(about).isNotPositive();
    if (found.maximum() != null) {
      assertThat(compare(Values.of(bounds).getLast(), greatest)).as(about).isNotNegative();
    }
  }

  private static void requireLower(
      @Nullable Bound found, byte[] least, boolean isText, String about) {
    byte[] value = Objects.requireNonNull(found, about).value().toByteArray();
    assertThat(found.exact()).as(about).isEqualTo(least.length <= SIZE);
    assertThat(Arrays.copyOf(least, value.length)).as(about).isEqualTo(value);
    if (found.exact()) {
      assertThat(value).as(about).isEqualTo(least);
    } else {
      assertThat(value.length).as(about).isBetween(isText ? SIZE - 3 : SIZE, SIZE);
    }
    requireText(value, isText);
  }

  private static void requireUpper(
      @Nullable Bound found, byte[] greatest, boolean isText, String about) {
    if (found == null) {
      String all = isText ? Character.toString(Character.MAX_CODE_POINT).repeat(8) : "";
      byte[] highest = isText ? bytes(all) : filled();
      assertThat(Arrays.copyOf(greatest, SIZE)).as(about).isEqualTo(highest);
      assertThat(greatest.length).as(about).isGreaterThan(SIZE);
      return;
    }
    byte[] value = found.value().toByteArray();
    assertThat(found.exact()).as(about).isEqualTo(greatest.length <= SIZE);
    if (found.exact()) {
      assertThat(value).as(about).isEqualTo(greatest);
      return;
    }
    assertThat(value.length).as(about).isBetween(1, SIZE);
    assertThat(Arrays.compareUnsigned(value, greatest)).as(about).isPositive();
    requireText(value, isText);
    // Without its last character, it is the start of the value.
    int end = value.length - 1;
    while (isText && (value[end] & 0xC0) == 0x80) {
      end--;
    }
    assertThat(Arrays.copyOf(greatest, end)).as(about).isEqualTo(Arrays.copyOf(value, end));
  }

  private static byte[] filled() {
    byte[] bytes = new byte[SIZE];
    Arrays.fill(bytes, (byte) -1);
    return bytes;
  }

  private static void requireText(byte[] value, boolean isText) {
    if (isText) {
      try {
        StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
      } catch (CharacterCodingException e) {
        throw new AssertionError("Expected text but found " + Arrays.toString(value), e);
      }
    }
  }

  /// Compares two values of the same column, neither of them NaN.
  public static int compare(@Nullable Object a, @Nullable Object b) {
    return switch (Objects.requireNonNull(a)) {
      case Boolean left -> left.compareTo((Boolean) Objects.requireNonNull(b));
      case Double left -> Double.compare(left + 0.0, (Double) Objects.requireNonNull(b) + 0.0);
      case String _, ByteString _ -> Arrays.compareUnsigned(bytes(a), bytes(b));
      default -> integer(a).compareTo(integer(b));
    };
  }

  private static BigInteger integer(@Nullable Object value) {
    return value instanceof BigInteger big
        ? big
        : BigInteger.valueOf((Long) Objects.requireNonNull(value));
  }

  private static byte[] bytes(@Nullable Object value) {
    return value instanceof String text
        ? text.getBytes(StandardCharsets.UTF_8)
        : ((ByteString) Objects.requireNonNull(value)).toByteArray();
  }

  /// Returns the bytes that an array of the type has for a value.
  private static ByteString encoded(ArrowType type, Object value) {
    if (value instanceof Boolean bool) {
      return ByteString.of(new byte[] {(byte) (bool ? 1 : 0)});
    }
    Object positive = value instanceof Double number ? (Object) (number + 0.0) : value;
    try (Arena arena = Arena.ofConfined()) {
      ArrayData array = new ArrayBuilder(arena).array(Field.of("", false, type), List.of(positive));
      return ByteString.of(array.buffer(BufferRole.DATA).toArray(ValueLayout.JAVA_BYTE));
    }
  }

  private static boolean isCounted(Field field) {
    return !(field.storageType() instanceof ArrowType.Union)
        && (isBounded(field)
            || field.dictionary() == null && !(field.type() instanceof ArrowType.RunEndEncoded));
  }

  private static boolean isBounded(Field field) {
    Field values = field.withDictionary(null);
    if (field.dictionary() == null && field.type() instanceof ArrowType.RunEndEncoded) {
      values = field.children().getLast();
      if (values.dictionary() != null) {
        return false;
      }
      return isOrdered(values.type());
    }
    return isOrdered(values.type())
        || field.dictionary() == null && values.type() instanceof ArrowType.Null;
  }

  private static boolean isOrdered(ArrowType type) {
    return switch (type) {
      case ArrowType.Bool _,
          ArrowType.Int _,
          ArrowType.FloatingPoint _,
          ArrowType.Decimal _,
          ArrowType.Date _,
          ArrowType.Time _,
          ArrowType.Timestamp _,
          ArrowType.Duration _,
          ArrowType.Binary _,
          ArrowType.LargeBinary _,
          ArrowType.BinaryView _,
          ArrowType.FixedSizeBinary _,
          ArrowType.Utf8 _,
          ArrowType.LargeUtf8 _,
          ArrowType.Utf8View _ ->
          true;
      default -> false;
    };
  }
}
