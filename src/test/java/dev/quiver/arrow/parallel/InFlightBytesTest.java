package dev.quiver.arrow.parallel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.TooLargeInputException;
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

  @Test
  void leavesHalfToUploadsHoweverMuchResponsesHold() {
    try (InFlightBytes.ResponseCharge one = inFlight.openResponse();
        InFlightBytes.ResponseCharge other = inFlight.openResponse();
        InFlightBytes.Charge upload = inFlight.open()) {
      one.take(300);
      other.take(200);
      assertThatThrownBy(() -> other.take(1)).isInstanceOf(OverloadedException.class);
      upload.take(500, InputLocation.UNKNOWN);
      assertThat(inFlight.taken()).isEqualTo(MAXIMUM);
    }
    assertThat(inFlight.taken()).isZero();
  }

  @Test
  void admitsAResponseLargerThanTheLimitAlone() {
    try (InFlightBytes.ResponseCharge large = inFlight.openResponse()) {
      large.take(5 * MAXIMUM);
      assertThat(inFlight.taken()).isEqualTo(MAXIMUM / 2);
      try (InFlightBytes.ResponseCharge other = inFlight.openResponse()) {
        assertThatThrownBy(() -> other.take(1)).isInstanceOf(OverloadedException.class);
      }
    }
    try (InFlightBytes.ResponseCharge other = inFlight.openResponse()) {
      other.take(MAXIMUM / 2);
    }
    assertThat(inFlight.taken()).isZero();
  }

  @Test
  void chargesASharedValueOnceUntilTheLastResponseIsClosed() {
    InFlightBytes.ResponseCharge one = inFlight.openResponse();
    InFlightBytes.ResponseCharge other = inFlight.openResponse();
    one.share("a", 200);
    one.share("a", 200);
    other.share("a", 200);
    assertThat(inFlight.taken()).isEqualTo(200);
    one.close();
    assertThat(inFlight.taken()).isEqualTo(200);
    try (InFlightBytes.ResponseCharge third = inFlight.openResponse()) {
      third.share("b", 5 * MAXIMUM);
      assertThat(inFlight.taken()).isEqualTo(200 + MAXIMUM / 4);
      assertThatThrownBy(() -> third.share("c", 51)).isInstanceOf(OverloadedException.class);
    }
    other.close();
    assertThat(inFlight.taken()).isZero();
  }

  @Test
  void rejectsResponsesWhileUploadsHoldAlmostEverything() {
    try (InFlightBytes.Charge upload = inFlight.open();
        InFlightBytes.ResponseCharge response = inFlight.openResponse()) {
      upload.take(900, InputLocation.UNKNOWN);
      assertThatThrownBy(() -> response.take(101)).isInstanceOf(OverloadedException.class);
      response.take(100);
    }
    assertThat(inFlight.taken()).isZero();
  }

  private static final Claimant ALICE = new Claimant("alice", /* isAlone= */ false);
  private static final Claimant BOB = new Claimant("bob", /* isAlone= */ false);

  @Test
  void leavesAQuarterToRequestsOfOthers() {
    try (InFlightBytes.Charge alice = ALICE.call(inFlight::open);
        InFlightBytes.Charge more = ALICE.call(inFlight::open);
        InFlightBytes.Charge bob = BOB.call(inFlight::open)) {
      assertThatThrownBy(() -> alice.take(751, InputLocation.UNKNOWN))
          .isInstanceOf(TooLargeInputException.class);
      alice.take(700, InputLocation.UNKNOWN);
      assertThatThrownBy(() -> more.take(51, InputLocation.UNKNOWN))
          .isInstanceOf(OverloadedException.class);
      more.take(50, InputLocation.UNKNOWN);
      assertThat(more.tryTake(1)).isFalse();
      // Three quarters of what is left, rounded up.
      assertThatThrownBy(() -> bob.take(189, InputLocation.UNKNOWN))
          .isInstanceOf(OverloadedException.class);
      bob.take(188, InputLocation.UNKNOWN);
    }
    assertThat(inFlight.taken()).isZero();
  }

  @Test
  void leavesAQuarterOfThatOfResponsesToOthers() {
    try (InFlightBytes.ResponseCharge alice = ALICE.call(inFlight::openResponse);
        InFlightBytes.ResponseCharge bob = BOB.call(inFlight::openResponse)) {
      // It is charged all that responses of one may have.
      alice.take(5 * MAXIMUM);
      assertThat(inFlight.taken()).isEqualTo(375);
      assertThatThrownBy(() -> bob.take(95)).isInstanceOf(OverloadedException.class);
      bob.take(94);
    }
    assertThat(inFlight.taken()).isZero();
  }

  /// It is given back to the one to whom it was charged.
  @Test
  void sharedValueIsChargedToTheFirstClaimant() {
    InFlightBytes.ResponseCharge alice = ALICE.call(inFlight::openResponse);
    alice.share("a", 200);
    try (InFlightBytes.ResponseCharge bob = BOB.call(inFlight::openResponse)) {
      bob.share("a", 200);
      alice.close();
      bob.take(225);
    }
    assertThat(inFlight.taken()).isZero();
    try (InFlightBytes.ResponseCharge bob = BOB.call(inFlight::openResponse)) {
      bob.take(375);
    }
  }

  @Test
  void requestsAndResponsesOfOneTogetherLeaveAQuarter() {
    try (InFlightBytes.Charge upload = ALICE.call(inFlight::open);
        InFlightBytes.ResponseCharge response = ALICE.call(inFlight::openResponse)) {
      upload.take(700, InputLocation.UNKNOWN);
      response.take(50);
      assertThatThrownBy(() -> response.take(1)).isInstanceOf(OverloadedException.class);
    }
    assertThat(inFlight.taken()).isZero();
  }
}
