package dev.quiver.validate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.UnionValue;
import dev.quiver.columnar.Values;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Values are found wrong exactly when somebody who reads the array comes across them: random
/// nested arrays, read value by value, are the oracle.
class ObservedValuesTest {

  @Test
  void badTextIsFoundExactlyWhereItCanBeObserved() {
    int bad = 0;
    for (int seed = 0; seed < 20_000; seed++) {
      Random random = new Random(seed);
      int length = random.nextInt(random.nextInt(10) == 0 ? 200 : 12);
      ArrayData array = new RandomArrays(random).next(length, 1 + random.nextInt(4)).data();
      boolean observed = isBadObserved(array);
      assertThat(Validator.validateDictionary(array, Level.VALUES, "f").isEmpty())
          .as("valid, seed %d", seed)
          .isEqualTo(!observed);
      bad += observed ? 1 : 0;
    }
    assertThat(bad).isBetween(4_000, 16_000);
  }

  /// An index outside its dictionary cannot be read at all.
  private static boolean isBadObserved(ArrayData array) {
    try {
      return holdsBadText(Values.of(array));
    } catch (IndexOutOfBoundsException e) {
      return true;
    }
  }

  private static boolean holdsBadText(@Nullable Object value) {
    return switch (value) {
      case String text -> text.contains("\uFFFD");
      case List<?> list -> list.stream().anyMatch(ObservedValuesTest::holdsBadText);
      case UnionValue(_, Object selected) -> holdsBadText(selected);
      case null, default -> false;
    };
  }
}
