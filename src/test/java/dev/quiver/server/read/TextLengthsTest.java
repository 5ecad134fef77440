package dev.quiver.server.read;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.arrow.text.TextBlocks;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which request renders a text to learn its length, which ones wait for it, and when it ends. A
/// rendering that never ends fails by the timeout.
@Timeout(60)
class TextLengthsTest {

  private static final String TAG = "a.1.csv-1-number";
  private static final BooleanSupplier PRESENT = () -> true;
  private static final TextBlocks BLOCKS = new TextBlocks.Builder().build();
  private static final Duration FOR_EVER = Duration.ofDays(1);

  private final ExecutorService requests = Executors.newCachedThreadPool();
  private final AtomicInteger renderings = new AtomicInteger();

  /// Lets renderings end.
  private final CountDownLatch end = new CountDownLatch(1);

  @AfterEach
  void close() {
    end.countDown();
    requests.close();
  }

  private static TextLengths lengths(Duration patience) {
    return lengths(patience, 1 << 20);
  }

  private static TextLengths lengths(Duration patience, long cacheByteSize) {
    Limit limit = new Limit("limit", 1);
    return new TextLengths(limit, limit, cacheByteSize, patience, new SimpleMeterRegistry());
  }

  /// A rendering that lasts until it may end.
  private TextMeasurement.Rendering slow() {
    return _ -> {
      renderings.incrementAndGet();
      await(end);
      return BLOCKS;
    };
  }

  /// A rendering that lasts until it may end, or is not needed anymore.
  private TextMeasurement.Rendering cancellable() {
    return progress -> {
      renderings.incrementAndGet();
      while (end.getCount() > 0) {
        if (!progress.shouldContinue(false)) {
          return null;
        }
        Thread.onSpinWait();
      }
      return BLOCKS;
    };
  }

  private static TextMeasurement.Rendering never() {
    return _ -> {
      throw new AssertionError("This request should not render the text");
    };
  }

  private static void await(CountDownLatch latch) throws InterruptedIOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }

  private Future<@Nullable TextBlocks> measure(
      TextLengths lengths, TextMeasurement.Rendering own, BooleanSupplier hasClient) {
    return requests.submit(() ->
        Cancellation.when(() -> !hasClient.getAsBoolean()).call(() -> lengths.measure(TAG, own)));
  }

  private void awaitRenderings(int count) {
    eventually(() -> assertThat(renderings).hasValue(count));
  }

  /// Returns a client that tells when its request waits.
  private static BooleanSupplier countedDown(CountDownLatch waiting) {
    return () -> {
      waiting.countDown();
      return true;
    };
  }

  /// Begins a response that renders the text until it may end.
  private Future<?> stream(TextLengths lengths, @Nullable IOException failure) throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Future<?> stream =
        requests.submit(() -> {
          lengths.stream(
              TAG,
              _ -> {},
              _ -> {
                begun.countDown();
                await(end);
                if (failure != null) {
                  throw failure;
                }
                return BLOCKS;
              });
          return null;
        });
    begun.await();
    return stream;
  }

  @Test
  void concurrentRequestsShareOneRendering() throws Exception {
    TextLengths lengths = lengths(Duration.ZERO);
    List<Future<@Nullable TextBlocks>> results = new ArrayList<>();
    results.add(measure(lengths, slow(), PRESENT));
    awaitRenderings(1);
    CountDownLatch waiting = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      CountDownLatch one = new CountDownLatch(1);
      results.add(measure(lengths, never(), countedDown(one)));
      one.await();
      waiting.countDown();
    }
    waiting.await();
    assertThat(lengths.known(TAG)).isNull();
    end.countDown();
    for (Future<@Nullable TextBlocks> result : results) {
      assertThat(result.get()).isSameAs(BLOCKS);
    }
    assertThat(lengths.known(TAG)).isSameAs(BLOCKS);
    assertThat(lengths.measure(TAG, never())).isSameAs(BLOCKS);
  }

  @Test
  void differentTextsAreRenderedSeparately() throws Exception {
    TextLengths lengths = lengths(Duration.ZERO);
    measure(lengths, slow(), PRESENT);
    awaitRenderings(1);
    TextBlocks other = new TextBlocks.Builder().build();
    assertThat(lengths.measure("other", _ -> other)).isSameAs(other);
    assertThat(lengths.known(TAG)).isNull();
  }

  @Test
  void responseLeavesTheLength() throws Exception {
    TextLengths lengths = lengths(Duration.ZERO);
    lengths.stream(TAG, _ -> {}, _ -> BLOCKS);
    assertThat(lengths.known(TAG)).isSameAs(BLOCKS);
    assertThat(lengths.measure(TAG, never())).isSameAs(BLOCKS);
  }

  @Test
  void requestWaitsForAResponseThatRendersTheSameText() throws Exception {
    TextLengths lengths = lengths(FOR_EVER);
    Future<?> stream = stream(lengths, null);
    CountDownLatch waiting = new CountDownLatch(2);
    List<Future<@Nullable TextBlocks>> results =
        List.of(
            measure(lengths, never(), countedDown(waiting)),
            measure(lengths, never(), countedDown(waiting)));
    waiting.await();
    end.countDown();
    for (Future<@Nullable TextBlocks> result : results) {
      assertThat(result.get()).isSameAs(BLOCKS);
    }
    stream.get();
  }

  /// However little patience requests have with clients.
  @Test
  void requestWaitsForAResponseWhoseClientIsFast() throws Exception {
    TextLengths lengths = lengths(Duration.ZERO);
    stream(lengths, null);
    CountDownLatch checks = new CountDownLatch(3);
    Future<@Nullable TextBlocks> result = measure(lengths, never(), countedDown(checks));
    checks.await();
    end.countDown();
    assertThat(result.get()).isSameAs(BLOCKS);
  }

  @Test
  void requestDoesNotWaitForAResponseWhoseClientIsSlow() throws Exception {
    TextLengths lengths = lengths(Duration.ZERO);
    CountDownLatch begun = new CountDownLatch(1);
    requests.submit(() -> {
      lengths.stream(
          TAG,
          _ -> {
            begun.countDown();
            await(end);
          },
          sink -> {
            sink.write(MemorySegment.NULL);
            return BLOCKS;
          });
      return null;
    });
    begun.await();
    assertThat(lengths.measure(TAG, _ -> BLOCKS)).isSameAs(BLOCKS);
  }

  @Test
  void requestRendersTheTextAfterAResponseFailed() throws Exception {
    TextLengths lengths = lengths(FOR_EVER);
    IOException failure = new IOException("The client went away");
    Future<?> stream = stream(lengths, failure);
    CountDownLatch waiting = new CountDownLatch(1);
    Future<@Nullable TextBlocks> result = measure(lengths, slow(), countedDown(waiting));
    waiting.await();
    assertThat(renderings).hasValue(0);
    end.countDown();
    assertThat(result.get()).isSameAs(BLOCKS);
    assertThat(renderings).hasValue(1);
    assertThatThrownBy(stream::get).isInstanceOf(ExecutionException.class).hasCause(failure);
  }

  /// A rendering that has just begun gives way to a response that begins then.
  @Test
  void renderingEndsWithAResponseThatBeganMeanwhile() throws Exception {
    TextLengths lengths = lengths(FOR_EVER);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch streaming = new CountDownLatch(1);
    AtomicBoolean continued = new AtomicBoolean(true);
    Future<@Nullable TextBlocks> result =
        measure(
            lengths,
            progress -> {
              begun.countDown();
              await(streaming);
              continued.set(progress.shouldContinue(true));
              return null;
            },
            PRESENT);
    begun.await();
    stream(lengths, null);
    streaming.countDown();
    end.countDown();
    assertThat(result.get()).isSameAs(BLOCKS);
    assertThat(continued).isFalse();
  }

  @Test
  void renderingMostlyDoneGoesOnBesideAResponse() throws Exception {
    TextLengths lengths = lengths(FOR_EVER);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch streaming = new CountDownLatch(1);
    Future<@Nullable TextBlocks> result =
        measure(
            lengths,
            progress -> {
              begun.countDown();
              await(streaming);
              return progress.shouldContinue(false) ? BLOCKS : null;
            },
            PRESENT);
    begun.await();
    stream(lengths, null);
    streaming.countDown();
    assertThat(result.get()).isSameAs(BLOCKS);
  }

  @Test
  void renderingEndsOnceNoRequestWaits() throws Exception {
    TextLengths lengths = lengths(Duration.ZERO);
    AtomicBoolean first = new AtomicBoolean(true);
    AtomicBoolean second = new AtomicBoolean(true);
    CountDownLatch waiting = new CountDownLatch(1);
    Future<@Nullable TextBlocks> renders = measure(lengths, cancellable(), first::get);
    awaitRenderings(1);
    Future<@Nullable TextBlocks> waits =
        measure(
            lengths,
            never(),
            () -> {
              waiting.countDown();
              return second.get();
            });
    waiting.await();
    // The second client still waits for what the first one's request renders.
    first.set(false);
    assertThat(renders).isNotDone();
    second.set(false);
    assertThat(renders.get()).isNull();
    assertThat(waits.get()).isNull();
    assertThat(lengths.known(TAG)).isNull();
  }

  @Test
  void renderingGoesOnForAnotherClient() throws Exception {
    TextLengths lengths = lengths(Duration.ZERO);
    AtomicBoolean first = new AtomicBoolean(true);
    CountDownLatch left = new CountDownLatch(3);
    CountDownLatch waiting = new CountDownLatch(1);
    measure(
        lengths,
        cancellable(),
        () -> {
          if (!first.get()) {
            left.countDown();
          }
          return first.get();
        });
    awaitRenderings(1);
    Future<@Nullable TextBlocks> waits = measure(lengths, never(), countedDown(waiting));
    waiting.await();
    first.set(false);
    eventually(() -> assertThat(left.getCount()).isLessThan(3));
    end.countDown();
    assertThat(waits.get()).isSameAs(BLOCKS);
  }

  @Test
  void failureIsSharedButNotKept() throws Exception {
    TextLengths lengths = lengths(Duration.ZERO);
    OverloadedException failure = new OverloadedException(new Limit("x", 1), "things");
    CountDownLatch waiting = new CountDownLatch(1);
    Future<@Nullable TextBlocks> fails =
        measure(
            lengths,
            _ -> {
              renderings.incrementAndGet();
              await(end);
              throw failure;
            },
            PRESENT);
    awaitRenderings(1);
    Future<@Nullable TextBlocks> waits = measure(lengths, never(), countedDown(waiting));
    waiting.await();
    end.countDown();
    assertThatThrownBy(fails::get).hasCause(failure);
    assertThatThrownBy(waits::get).hasCause(failure);
    assertThat(lengths.measure(TAG, _ -> BLOCKS)).isSameAs(BLOCKS);
  }

  @Test
  void anotherRequestRendersAfterAnInterrupt() throws Exception {
    TextLengths lengths = lengths(Duration.ZERO);
    CountDownLatch waiting = new CountDownLatch(1);
    measure(
        lengths,
        _ -> {
          renderings.incrementAndGet();
          await(end);
          throw new InterruptedIOException();
        },
        PRESENT);
    awaitRenderings(1);
    Future<@Nullable TextBlocks> waits = measure(lengths, _ -> BLOCKS, countedDown(waiting));
    waiting.await();
    end.countDown();
    assertThat(waits.get()).isSameAs(BLOCKS);
  }

  @Test
  void cacheKeepsTheLengthsUsedLast() throws Exception {
    long entry = BLOCKS.memoryByteSize() + 2 * "x".length();
    TextLengths lengths = lengths(Duration.ZERO, 2 * entry);
    for (String tag : List.of("a", "b", "c")) {
      lengths.measure(tag, _ -> BLOCKS);
    }
    assertThat(lengths.known("a")).isNull();
    assertThat(lengths.known("b")).isNotNull();
    assertThat(lengths.known("c")).isNotNull();
  }
}
