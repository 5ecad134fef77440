package dev.quiver.ipc;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.memory.Limits;
import dev.quiver.memory.Place;
import dev.quiver.memory.TooLargeInputException;
import org.junit.jupiter.api.Test;

class UnfoldingTest {

  private static final Place PLACE = Place.detail("buffer");

  private final Unfolding unfolding = new Unfolding(Limits.DEFAULT.uncompressedRatio());

  @Test
  void aModerateAmountIsFreeHoweverLittleCame() {
    unfolding.addBody(1);
    unfolding.addBuffer(Unfolding.FREE_BYTE_SIZE, PLACE);
    assertThatCode(() -> unfolding.addBuffer(1000, PLACE)).doesNotThrowAnyException();
    assertThatThrownBy(() -> unfolding.addBuffer(1, PLACE))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most 1000 uncompressed bytes per byte of the bodies so far, past the first"
                + " 268435456 (quiver.limits.uncompressed-ratio) but found 1001 at buffer");
  }

  @Test
  void whatCameBeforeCounts() {
    unfolding.addBody(1 << 20);
    unfolding.addBuffer(1 << 20, PLACE);
    unfolding.addBody(1 << 20);
    unfolding.addBuffer(Unfolding.FREE_BYTE_SIZE + (1999L << 20), PLACE);
    assertThatThrownBy(() -> unfolding.addBuffer(1, PLACE))
        .isInstanceOf(TooLargeInputException.class);
  }
}
