package dev.quiver.ipc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.input.InputLocation;
import dev.quiver.input.Limits;
import dev.quiver.input.TooLargeInputException;
import org.junit.jupiter.api.Test;

class DecompressionBudgetTest {

  private static final InputLocation PLACE = InputLocation.detail("buffer");

  private final DecompressionBudget unfolding =
      new DecompressionBudget(Limits.DEFAULT.decompressionRatio());

  @Test
  void moderateAmountIsFreeForTheSmallestBody() {
    unfolding.addBody(1);
    unfolding.addBuffer(DecompressionBudget.FREE_BYTE_SIZE, PLACE);
    assertThatCode(() -> unfolding.addBuffer(1000, PLACE)).doesNotThrowAnyException();
    assertThatThrownBy(() -> unfolding.addBuffer(1, PLACE))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most 1000 uncompressed bytes per byte of the bodies so far, past the first"
                + " 268435456 (decompression-ratio) but found 1001 at buffer");
  }

  @Test
  void earlierBodiesCountTowardsTheRatio() {
    unfolding.addBody(1 << 20);
    unfolding.addBuffer(1 << 20, PLACE);
    unfolding.addBody(1 << 20);
    unfolding.addBuffer(DecompressionBudget.FREE_BYTE_SIZE + (1999L << 20), PLACE);
    assertThatThrownBy(() -> unfolding.addBuffer(1, PLACE))
        .isInstanceOf(TooLargeInputException.class);
  }
}
