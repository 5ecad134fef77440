package dev.quiver.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.input.InputLocation;
import dev.quiver.input.OverloadedException;
import dev.quiver.input.TooLargeInputException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class InFlightBytesTest {

  private static final int MAXIMUM = 1000;

  private final InFlightBytes inFlight = new InFlightBytes(MAXIMUM);

  @Test
  void limitsTheTotalOfAllRequests() {
    try (InFlightBytes.Charge one = inFlight.open();
        InFlightBytes.Charge other = inFlight.open()) {
      one.take(600, InputLocation.UNKNOWN);
      other.take(400, InputLocation.UNKNOWN);
      assertThatThrownBy(() -> other.take(1, InputLocation.UNKNOWN))
          .isInstanceOf(OverloadedException.class);
      assertThatThrownBy(() -> other.take(601, InputLocation.UNKNOWN))
          .isInstanceOf(TooLargeInputException.class);
      assertThat(inFlight.taken()).isEqualTo(MAXIMUM);
    }
    assertThat(inFlight.taken()).isZero();
  }

  @Test
  void optionalChargesLeaveHalfToRequiredOnes() {
    try (InFlightBytes.Charge charge = inFlight.open()) {
      assertThat(charge.tryTake(501)).isFalse();
      assertThat(charge.tryTake(500)).isTrue();
      assertThat(charge.tryTake(1)).isFalse();
      charge.take(500, InputLocation.UNKNOWN);
      charge.giveBack(700);
      assertThat(charge.tryTake(200)).isTrue();
    }
    assertThat(inFlight.taken()).isZero();
  }

  @Test
  void rejectedChargeTakesNothingFromOthers() throws InterruptedException {
    AtomicBoolean end = new AtomicBoolean();
    try (InFlightBytes.Charge half = inFlight.open();
        InFlightBytes.Charge small = inFlight.open()) {
      half.take(MAXIMUM / 2, InputLocation.UNKNOWN);
      Thread rejected =
          Thread.ofPlatform()
              .start(() -> {
                try (InFlightBytes.Charge charge = inFlight.open()) {
                  while (!end.get()) {
                    charge.tryTake(MAXIMUM);
                  }
                }
              });
      try {
        for (int i = 0; i < 200_000; i++) {
          small.take(1, InputLocation.UNKNOWN);
          small.giveBack(1);
        }
      } finally {
        end.set(true);
        rejected.join();
      }
    }
  }
}
