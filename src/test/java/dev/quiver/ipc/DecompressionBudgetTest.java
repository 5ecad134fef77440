package dev.quiver.ipc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.input.InputLocation;
import dev.quiver.input.Limits;
import dev.quiver.input.TooLargeInputException;
import org.junit.jupiter.api.Test;

class DecompressionBudgetTest {

  private static final InputLocation LOCATION = InputLocation.detail("buffer");

  private final DecompressionBudget budget =
      new DecompressionBudget(Limits.DEFAULT.decompressionRatio());

  @Test
  void allowsAModerateAmountForTheSmallestBody() {
    budget.addBody(1);
    budget.addBuffer(DecompressionBudget.FREE_BYTE_SIZE, LOCATION);
    assertThatCode(() -> budget.addBuffer(1000, LOCATION)).doesNotThrowAnyException();
    assertThatThrownBy(() -> budget.addBuffer(1, LOCATION))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most 1000 uncompressed bytes per byte of the bodies so far, past the first"
                + " 268435456 (decompression-ratio) but found 1001 at buffer");
  }

  @Test
  void earlierBodiesCountTowardsTheRatio() {
    budget.addBody(1 << 20);
    budget.addBuffer(1 << 20, LOCATION);
    budget.addBody(1 << 20);
    budget.addBuffer(DecompressionBudget.FREE_BYTE_SIZE + (1999L << 20), LOCATION);
    assertThatThrownBy(() -> budget.addBuffer(1, LOCATION))
        .isInstanceOf(TooLargeInputException.class);
  }
}
