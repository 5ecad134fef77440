package dev.quiver.arrow.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// Tests that every error reads as one sentence, that its location grows from the inside out, and
/// that a limit names itself.
class InputExceptionTest {

  @Test
  void eachLayerCompletesTheLocation() {
    InputException inner =
        new MalformedInputException("0 or more", "-1", InputLocation.detail("offsets[17]"));
    InputException outer =
        inner.within(InputLocation.field("fare.amount")).within(InputLocation.message(3, 1284));
    assertThat(outer)
        .isInstanceOf(MalformedInputException.class)
        .hasMessage(
            "Expected 0 or more but found -1 at message 3, byte offset 1284, field fare.amount,"
                + " offsets[17]");
  }

  @Test
  void innerLocationIsNotOverwritten() {
    InputLocation inner = new InputLocation(1L, 8L, "a", "b");
    assertThat(inner.within(new InputLocation(2L, 16L, "c", "d"))).isEqualTo(inner);
  }

  @Test
  void messageWithoutALocationOmitsAt() {
    assertThat(new TruncatedInputException("more", "the end", InputLocation.UNKNOWN))
        .hasMessage("Expected more but found the end");
  }

  @Test
  void truncatesLongTextFromTheInput() {
    String text = "x".repeat(1000);
    assertThat(new MalformedInputException(text, text + "y", InputLocation.UNKNOWN))
        .hasMessage("Expected " + text + " but found " + text + "…");
  }

  @Test
  void limitAcceptsItsMaximumAndRejectsOneMore() {
    Limit limit = new Limit("batch-rows", 100);
    assertThatCode(() -> limit.check(100, "rows in a batch", InputLocation.UNKNOWN))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> limit.check(101, "rows in a batch", InputLocation.message(2, 64)))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessage(
            "Expected at most 100 rows in a batch (batch-rows) but found 101 at"
                + " message 2, byte offset 64");
  }

  @Test
  void keepsTheLimitWhenALocationIsAdded() {
    TooLargeInputException inner =
        new TooLargeInputException(new Limit("key", 1), "things", "2", InputLocation.UNKNOWN);
    assertThat(inner.within(InputLocation.byteOffset(9)))
        .isInstanceOfSatisfying(
            TooLargeInputException.class,
            outer -> assertThat(outer.limit()).isEqualTo(inner.limit()))
        .hasMessage("Expected at most 1 things (key) but found 2 at byte offset 9");
  }
}
