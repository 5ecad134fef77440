package dev.quiver.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.memory.Limit;
import dev.quiver.memory.OverloadedException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Who needs a turn, and that there are only so many at once.
class MadeResponsesTest {

  private static final StreamedBody STREAMED = _ -> {};
  private static final Content STORED = Content.of(Piece.Bytes.of(new byte[1]));
  private static final Content RENDERED = Content.of(new RenderedPiece(() -> new byte[1]));

  private static MadeResponses made(int maximum) {
    return new MadeResponses(new Limit("quiver.limits.made-responses", maximum), Duration.ZERO);
  }

  @Test
  void thereAreAsManyAsTheLimitAllows() throws Exception {
    MadeResponses made = made(2);
    try (var _ = made.take(STREAMED, ResponseCoding.IDENTITY)) {
      try (var _ = made.take(STREAMED, ResponseCoding.GZIP)) {
        assertThatThrownBy(() -> made.take(STREAMED, ResponseCoding.IDENTITY))
            .isInstanceOf(OverloadedException.class)
            .hasMessage(
                "Expected at most 2 responses that are made at once"
                    + " (quiver.limits.made-responses) but found more, with those of other"
                    + " requests");
        assertThat(made.take(STORED, ResponseCoding.IDENTITY)).isNull();
        assertThat(made.take(RENDERED, ResponseCoding.IDENTITY)).isNull();
        assertThat(made.take(RENDERED, ResponseCoding.GZIP)).isNull();
        assertThatThrownBy(() -> made.take(STORED, ResponseCoding.GZIP))
            .isInstanceOf(OverloadedException.class);
      }
      try (var turn = made.take(STORED, ResponseCoding.ZSTD)) {
        assertThat(turn).isNotNull();
      }
    }
  }

  @Test
  void whoIsToEndDoesNotWait() {
    MadeResponses none =
        new MadeResponses(new Limit("quiver.limits.made-responses", 0), Duration.ofDays(1));
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> none.take(STREAMED, ResponseCoding.IDENTITY))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
