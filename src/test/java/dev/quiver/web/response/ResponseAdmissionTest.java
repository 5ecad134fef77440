package dev.quiver.web.response;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.input.Limit;
import dev.quiver.input.OverloadedException;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.web.http.ResponseCoding;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Who needs a turn, and that there are only so many at once.
class ResponseAdmissionTest {

  private static final int IN_FLIGHT_BYTES = 300_000;

  private static final StreamingBody STREAMED = _ -> {};
  private static final FixedLengthBody SMALL = stored(64 << 10);
  private static final FixedLengthBody STORED = stored((64 << 10) + 1);

  private final InFlightBytes inFlight = new InFlightBytes(IN_FLIGHT_BYTES);

  private static FixedLengthBody stored(int byteSize) {
    return FixedLengthBody.of(BodyPart.Bytes.of(new byte[byteSize]));
  }

  private static FixedLengthBody document(int byteSize) {
    return FixedLengthBody.of(new RenderedPart(() -> new byte[byteSize]));
  }

  private ResponseAdmission made(int maximum, Duration patience) {
    return new ResponseAdmission(
        new Limit("quiver.limits.generated-responses", maximum), patience, inFlight);
  }

  @Test
  void thereAreAsManyAsTheLimitAllows() throws Exception {
    ResponseAdmission made = made(2, Duration.ZERO);
    try (var _ = made.take(STREAMED, ResponseCoding.IDENTITY)) {
      try (var _ = made.take(STREAMED, ResponseCoding.ZSTD)) {
        assertThatThrownBy(() -> made.take(STREAMED, ResponseCoding.GZIP))
            .isInstanceOf(OverloadedException.class)
            .hasMessage(
                "Expected at most 2 responses that are made at once"
                    + " (quiver.limits.generated-responses) but found more, with those of other"
                    + " requests");
        assertThat(made.take(STORED, ResponseCoding.IDENTITY)).isNull();
        assertThatThrownBy(() -> made.take(STORED, ResponseCoding.GZIP))
            .isInstanceOf(OverloadedException.class);
      }
      try (var turn = made.take(STORED, ResponseCoding.ZSTD)) {
        assertThat(turn).isNotNull();
      }
    }
  }

  @Test
  void smallOnesDoNotWaitForLargeOnes() throws Exception {
    ResponseAdmission made = made(1, Duration.ZERO);
    try (var _ = made.take(STREAMED, ResponseCoding.IDENTITY);
        var _ = made.take(SMALL, ResponseCoding.GZIP)) {
      assertThatThrownBy(() -> made.take(SMALL, ResponseCoding.GZIP))
          .isInstanceOf(OverloadedException.class);
    }
  }

  @Test
  void slowBodiesOfRequestsKeepOnlyTheirLikeWaiting() throws Exception {
    ResponseAdmission made = made(1, Duration.ZERO);
    try (var _ = made.takeForBody()) {
      assertThatThrownBy(made::takeForBody).isInstanceOf(OverloadedException.class);
      try (var turn = made.take(STREAMED, ResponseCoding.IDENTITY)) {
        assertThat(turn).isNotNull();
      }
    }
  }

  @Test
  void noMoreWaitThanHaveATurn() throws Exception {
    ResponseAdmission made = made(1, Duration.ofDays(1));
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<?> waiting;
      try (var _ = made.take(STREAMED, ResponseCoding.IDENTITY)) {
        CompletableFuture<Thread> waiter = new CompletableFuture<>();
        waiting =
            other.submit(() -> {
              waiter.complete(Thread.currentThread());
              try (var _ = made.take(STREAMED, ResponseCoding.IDENTITY)) {
                return null;
              }
            });
        Thread thread = waiter.get();
        eventually(() -> assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING));
        assertThatThrownBy(() -> made.take(STREAMED, ResponseCoding.IDENTITY))
            .isInstanceOf(OverloadedException.class);
      }
      waiting.get();
    }
  }

  @Test
  void documentsCountAsBytesInFlightUnlessTheyAreSmall() throws Exception {
    ResponseAdmission made = made(1, Duration.ZERO);
    assertThat(made.take(document(64 << 10), ResponseCoding.GZIP)).isNull();
    try (var _ = made.take(document(100_000), ResponseCoding.GZIP);
        var _ = made.take(document(200_000), ResponseCoding.IDENTITY)) {
      assertThat(inFlight.taken()).isEqualTo(IN_FLIGHT_BYTES);
      assertThatThrownBy(() -> made.take(document(100_000), ResponseCoding.IDENTITY))
          .isInstanceOf(OverloadedException.class)
          .hasMessageContaining("quiver.limits.in-flight-bytes");
      assertThat(made.take(document(1), ResponseCoding.IDENTITY)).isNull();
    }
    assertThat(inFlight.taken()).isZero();
    try (var _ = made.take(document(2 * IN_FLIGHT_BYTES), ResponseCoding.IDENTITY)) {
      assertThat(inFlight.taken()).isEqualTo(IN_FLIGHT_BYTES);
    }
  }

  @Test
  void whoIsToEndDoesNotWait() throws Exception {
    ResponseAdmission made = made(1, Duration.ofDays(1));
    try (var _ = made.takeForBody()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(made::takeForBody).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void oneIsTheLeastThatMakesSense() {
    assertThatThrownBy(() -> made(0, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected at least 1 but found 0 at quiver.limits.generated-responses");
  }
}
