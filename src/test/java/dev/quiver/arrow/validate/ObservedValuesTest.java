package dev.quiver.arrow.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.UnionValue;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that an invalid value is found if and only if a reader can observe it. The oracle reads
/// random nested arrays value by value.
@Tag("random")
class ObservedValuesTest {

  @Test
  void reportsInvalidTextExactlyWhereItIsObservable() {
    int invalidCount = 0;
    for (int seed : Trials.seeds(20_000)) {
      Random random = new Random(seed);
      int length = random.nextInt(random.nextInt(10) == 0 ? 200 : 12);
      ArrayData array = RandomArrays.ofTexts(random).next(length, 1 + random.nextInt(4)).data();
      boolean observed = isInvalidValueObserved(array);
      assertThat(Validator.validateDictionary(array, Level.VALUES, "f").isEmpty())
          .as("valid, seed %d", seed)
          .isEqualTo(!observed);
      invalidCount += observed ? 1 : 0;
    }
    assertThat(invalidCount).isBetween(Trials.of(4_000), Trials.of(16_000));
  }

  @Test
  void reportsInvalidDatesAndNullsExactlyWhereTheyAreObservable() {
    int invalidCount = 0;
    for (int seed : Trials.seeds(20_000)) {
      Random random = new Random(seed);
      int length = random.nextInt(random.nextInt(10) == 0 ? 200 : 12);
      ArrayData array = RandomArrays.ofDates(random).next(length, 1 + random.nextInt(4)).data();
      RecordBatch batch = new RecordBatch(Schema.of(array.field()), length, List.of(array));
      boolean observed =
          Values.of(array).stream().anyMatch(value -> isOutsideDomain(array.field(), value));
      assertThat(Validator.validate(batch, Level.VALUES)).isEmpty();
      assertThat(Validator.validate(batch, Level.DOMAIN).isEmpty())
          .as("valid, seed %d", seed)
          .isEqualTo(!observed);
      invalidCount += observed ? 1 : 0;
    }
    assertThat(invalidCount).isBetween(Trials.of(4_000), Trials.of(16_000));
  }

  private static boolean isOutsideDomain(Field field, @Nullable Object value) {
    List<Field> children = field.children();
    return switch (field.type()) {
      case ArrowType.RunEndEncoded() -> isOutsideDomain(children.get(1), value);
      case ArrowType.Union(_, List<Integer> typeIds) -> {
        UnionValue selected = (UnionValue) Objects.requireNonNull(value);
        Field child = children.get(typeIds.indexOf(selected.typeId()));
        yield isOutsideDomain(child, selected.value());
      }
      case ArrowType type when value instanceof List<?> slots ->
          IntStream.range(0, slots.size())
              .anyMatch(i -> {
                int child = type instanceof ArrowType.Struct ? i : 0;
                return isOutsideDomain(children.get(child), slots.get(i));
              });
      default -> value == null ? !field.nullable() : (Long) value % 86_400_000 != 0;
    };
  }

  /// Returns whether an invalid value is observable. An index outside its dictionary counts, since
  /// it cannot be read.
  private static boolean isInvalidValueObserved(ArrayData array) {
    try {
      return containsInvalidText(Values.of(array));
    } catch (IndexOutOfBoundsException e) {
      return true;
    }
  }

  private static boolean containsInvalidText(@Nullable Object value) {
    return switch (value) {
      case String text -> text.contains("\uFFFD");
      case List<?> list -> list.stream().anyMatch(ObservedValuesTest::containsInvalidText);
      case UnionValue(_, Object selected) -> containsInvalidText(selected);
      case null, default -> false;
    };
  }
}
