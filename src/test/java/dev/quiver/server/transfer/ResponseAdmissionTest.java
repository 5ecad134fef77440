package dev.quiver.server.transfer;

import static dev.quiver.Eventually.eventually;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.server.http.ResponseCoding;
import dev.quiver.store.blob.BlobSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Responses that need a permit, and the number of permits.
class ResponseAdmissionTest {

  private static final int IN_FLIGHT_BYTES = 300_000;

  private static final BodySource STREAMED = new BodySource.Ready((StreamingBody) _ -> {});
  private static final BodySource SMALL = new BodySource.Ready(body(64 << 10));
  private static final BodySource STORED = new BodySource.Ready(body((64 << 10) + 1));

  private final InFlightBytes inFlight = new InFlightBytes(IN_FLIGHT_BYTES);

  private static FixedLengthBody body(int byteSize) {
    return FixedLengthBody.of(BodyPart.Bytes.of(new byte[byteSize]));
  }

  private static BodySource selected(int byteSize) {
    return new BodySource.Selected(() -> body(byteSize));
  }

  private static BodySource document(int byteSize) {
    return new BodySource.Document(() -> new byte[byteSize]);
  }

  private static void assertNeedsNoPermit(ResponseAdmission.AdmittedBody admitted) {
    assertThat(admitted.permit()).isSameAs(Permit.UNLIMITED);
  }

  private ResponseAdmission admission(int maximum, Duration patience) {
    return new ResponseAdmission(
        new Limit("quiver.limits.generated-responses", maximum), patience, inFlight);
  }

  @Test
  void limitsConcurrentGeneratedResponses() throws Exception {
    ResponseAdmission admission = admission(2, Duration.ZERO);
    try (var _ = admission.open(STREAMED, ResponseCoding.IDENTITY)) {
      try (var _ = admission.open(STREAMED, ResponseCoding.ZSTD)) {
        assertThatThrownBy(() -> admission.open(STREAMED, ResponseCoding.GZIP))
            .isInstanceOf(OverloadedException.class)
            .hasMessage(
                "Expected at most 2 responses generated at once"
                    + " (quiver.limits.generated-responses) but found more, with those of other"
                    + " requests");
        assertNeedsNoPermit(admission.open(STORED, ResponseCoding.IDENTITY));
        assertThatThrownBy(() -> admission.open(STORED, ResponseCoding.GZIP))
            .isInstanceOf(OverloadedException.class);
      }
      try (var admitted = admission.open(STORED, ResponseCoding.ZSTD)) {
        assertThat(admitted.body().isSmall()).isFalse();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void contentThatIsCodedOnceNeedsNoPermit(ResponseCoding coding) throws Exception {
    BodySource content = new BodySource.Static(new byte[1 << 20]);
    ResponseAdmission admission = admission(1, Duration.ZERO);
    try (var _ = admission.open(STREAMED, ResponseCoding.IDENTITY)) {
      assertNeedsNoPermit(admission.open(content, coding));
    }
  }

  @Test
  void smallResponsesDoNotWaitForLargeOnes() throws Exception {
    ResponseAdmission admission = admission(1, Duration.ZERO);
    try (var _ = admission.open(STREAMED, ResponseCoding.IDENTITY);
        var _ = admission.open(SMALL, ResponseCoding.GZIP)) {
      assertThatThrownBy(() -> admission.open(SMALL, ResponseCoding.GZIP))
          .isInstanceOf(OverloadedException.class);
    }
  }

  @Test
  void selectionsAreLaidOutUnderAPermitOfTheirOwn() throws Exception {
    ResponseAdmission admission = admission(1, Duration.ZERO);
    BodySource slow =
        new BodySource.Selected(() -> {
          BodySource never =
              new BodySource.Selected(() -> {
                throw new AssertionError("laid out without a permit");
              });
          assertThatThrownBy(() -> admission.open(never, ResponseCoding.IDENTITY))
              .isInstanceOf(OverloadedException.class);
          admission.open(SMALL, ResponseCoding.GZIP).close();
          return (FixedLengthBody) selected(1).open();
        });
    admission.open(slow, ResponseCoding.IDENTITY).close();
    try (var _ = admission.open(selected(100_000), ResponseCoding.IDENTITY);
        var _ = admission.open(selected(1), ResponseCoding.IDENTITY)) {
      assertThatThrownBy(() -> admission.open(STREAMED, ResponseCoding.IDENTITY))
          .isInstanceOf(OverloadedException.class);
      assertThatThrownBy(() -> admission.open(SMALL, ResponseCoding.GZIP))
          .isInstanceOf(OverloadedException.class);
    }
    try (var _ = admission.open(STREAMED, ResponseCoding.IDENTITY);
        var _ = admission.open(SMALL, ResponseCoding.GZIP)) {
      assertThat(admission.open(STORED, ResponseCoding.IDENTITY).body().isSmall()).isFalse();
    }
  }

  @Test
  void failureReleasesThePermit() throws Exception {
    ResponseAdmission admission = admission(1, Duration.ZERO);
    BodySource failing =
        new BodySource.Selected(() -> {
          throw new IOException("damaged");
        });
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> admission.open(failing, ResponseCoding.IDENTITY))
          .isInstanceOf(IOException.class)
          .hasMessage("damaged");
    }
  }

  @Test
  void uploadsTakePermitsOnlyFromOtherUploads() throws Exception {
    ResponseAdmission admission = admission(1, Duration.ZERO);
    try (var _ = admission.acquireForBody()) {
      assertThatThrownBy(admission::acquireForBody).isInstanceOf(OverloadedException.class);
      try (var admitted = admission.open(STREAMED, ResponseCoding.IDENTITY)) {
        assertThat(admitted.body()).isInstanceOf(StreamingBody.class);
      }
    }
  }

  @Test
  void queueHasAtMostTheNumberOfPermits() throws Exception {
    ResponseAdmission admission = admission(1, Duration.ofDays(1));
    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
      Future<?> waiting;
      try (var _ = admission.open(STREAMED, ResponseCoding.IDENTITY)) {
        CompletableFuture<Thread> waiter = new CompletableFuture<>();
        waiting =
            other.submit(() -> {
              waiter.complete(Thread.currentThread());
              try (var _ = admission.open(STREAMED, ResponseCoding.IDENTITY)) {
                return null;
              }
            });
        Thread thread = waiter.get();
        eventually(() -> assertThat(thread.getState()).isEqualTo(Thread.State.TIMED_WAITING));
        assertThatThrownBy(() -> admission.open(STREAMED, ResponseCoding.IDENTITY))
            .isInstanceOf(OverloadedException.class);
      }
      waiting.get();
    }
  }

  @Test
  void documentsCountAsBytesInFlightUnlessTheyAreSmall() throws Exception {
    ResponseAdmission admission = admission(1, Duration.ZERO);
    assertNeedsNoPermit(admission.open(document(64 << 10), ResponseCoding.GZIP));
    try (var _ = admission.open(document(75_000), ResponseCoding.GZIP);
        var _ = admission.open(document(80_000), ResponseCoding.IDENTITY)) {
      assertThat(inFlight.taken()).isEqualTo(IN_FLIGHT_BYTES / 2);
      assertThatThrownBy(() -> admission.open(document(100_000), ResponseCoding.IDENTITY))
          .isInstanceOf(OverloadedException.class)
          .hasMessageContaining("in-flight-bytes");
      assertNeedsNoPermit(admission.open(document(1), ResponseCoding.IDENTITY));
    }
    assertThat(inFlight.taken()).isZero();
    try (var _ = admission.open(document(IN_FLIGHT_BYTES / 2), ResponseCoding.IDENTITY)) {
      assertThat(inFlight.taken()).isEqualTo(IN_FLIGHT_BYTES / 4);
    }
  }

  @Test
  void rejectsADocumentLargerThanAllResponsesMayBeAsSoonAsItIsRenderedThatFar() throws Exception {
    ResponseAdmission admission = admission(1, Duration.ZERO);
    BodySource endless =
        new BodySource.Document(output -> {
          while (true) {
            output.write(new byte[1000]);
          }
        });
    assertThatThrownBy(() -> admission.open(endless, ResponseCoding.IDENTITY))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("Expected at most 150000 bytes of a document (in-flight-bytes)");
    assertThat(inFlight.taken()).isZero();
  }

  @Test
  void documentsEqualTheWrittenBytes() throws Exception {
    ResponseAdmission admission = admission(1, Duration.ZERO);
    byte[] text = new byte[140_000];
    new Random(1).nextBytes(text);
    BodySource document =
        new BodySource.Document(output -> {
          output.write(text[0]);
          for (int i = 1; i < text.length; i += 999) {
            output.write(text, i, Math.min(999, text.length - i));
          }
        });
    try (var admitted = admission.open(document, ResponseCoding.IDENTITY)) {
      ByteArrayOutputStream sent = new ByteArrayOutputStream();
      ((FixedLengthBody) admitted.body())
          .writeTo(BlobSink.reading(part -> sent.writeBytes(part.toArray(JAVA_BYTE))));
      assertThat(sent.toByteArray()).isEqualTo(text);
    }
  }

  @Test
  void interruptEndsTheWaitForAPermit() throws Exception {
    ResponseAdmission admission = admission(1, Duration.ofDays(1));
    try (var _ = admission.acquireForBody()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(admission::acquireForBody).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /// Each kind of body waits for its own permits.
  @Timeout(60)
  @ParameterizedTest
  @ValueSource(strings = {"large", "small", "selected", "document", "list"})
  void requestWithoutAClientDoesNoWorkOnceItHasWaited(String kind) throws Exception {
    ResponseAdmission admission = admission(1, Duration.ofDays(1));
    AtomicInteger opened = new AtomicInteger();
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    BodySource slow =
        switch (kind) {
          case "large" -> STREAMED;
          case "small" -> SMALL;
          case "selected" ->
              new BodySource.Selected(() -> {
                opened.incrementAndGet();
                busy.countDown();
                await(end);
                return body(1);
              });
          case "document" ->
              new BodySource.Document(_ -> {
                opened.incrementAndGet();
                busy.countDown();
                await(end);
              });
          default -> new BodySource.ListStream(_ -> {});
        };
    // There are several permits for documents.
    long documents = Runtime.getRuntime().maxMemory() / (128 << 20);
    int permits = kind.equals("document") ? (int) Math.max(2, documents) : 1;
    try (ExecutorService others = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<ResponseAdmission.AdmittedBody>> admitted = new ArrayList<>();
      for (int i = 0; i < permits; i++) {
        admitted.add(others.submit(() -> admission.open(slow, ResponseCoding.GZIP)));
      }
      if (kind.equals("selected") || kind.equals("document")) {
        eventually(() -> assertThat(opened).hasValue(permits));
      } else {
        admitted.getFirst().get();
      }
      try {
        AtomicInteger questions = new AtomicInteger();
        assertThatThrownBy(() ->
                Cancellation.when(() -> questions.incrementAndGet() >= 3)
                    .call(() -> admission.open(slow, ResponseCoding.GZIP)))
            .isInstanceOf(CancelledException.class);
        assertThat(questions).hasValue(3);
        assertThat(opened.get()).isLessThanOrEqualTo(permits);
      } finally {
        end.countDown();
      }
      for (Future<ResponseAdmission.AdmittedBody> body : admitted) {
        body.get().close();
      }
    }
    Cancellation.when(() -> true).call(() -> admission.open(slow, ResponseCoding.GZIP)).close();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void listsTakePermitsOnlyFromOtherLists() throws Exception {
    ResponseAdmission admission = admission(1, Duration.ZERO);
    BodySource list = new BodySource.ListStream(_ -> {});
    try (var _ = admission.open(list, ResponseCoding.IDENTITY)) {
      assertThatThrownBy(() -> admission.open(list, ResponseCoding.IDENTITY))
          .isInstanceOf(OverloadedException.class);
      admission.open(STREAMED, ResponseCoding.IDENTITY).close();
      admission.open(SMALL, ResponseCoding.GZIP).close();
      List<Permit> pages = new ArrayList<>();
      for (int i = 0; i < Math.max(2, Runtime.getRuntime().availableProcessors()); i++) {
        pages.add(admission.acquireForListPage());
      }
      assertThatThrownBy(() -> admission.acquireForListPage())
          .isInstanceOf(OverloadedException.class);
      // It holds no permits that a list could take.
      admission.open(document(1), ResponseCoding.IDENTITY).close();
      pages.forEach(Permit::close);
      admission.acquireForListPage().close();
    }
  }

  @Test
  void rejectsALimitOfZeroResponses() {
    assertThatThrownBy(() -> admission(0, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected at least 1 but found 0 at quiver.limits.generated-responses");
  }

  @Test
  void fileOfATextTakesAPermitUnlessItIsKept() throws Exception {
    ResponseAdmission admission = admission(1, Duration.ZERO);
    StreamingBody large = _ -> {};
    BodySource kept = new BodySource.Text(large, () -> body(7), () -> body(7));
    BodySource unknown = new BodySource.Text(large, () -> null, () -> body(7));
    try (var _ = admission.acquireForFile(false)) {
      assertThatThrownBy(() -> admission.acquireForFile(false))
          .isInstanceOf(OverloadedException.class);
      assertThatThrownBy(() -> admission.open(unknown, ResponseCoding.IDENTITY))
          .isInstanceOf(OverloadedException.class);
      assertThatThrownBy(() -> admission.open(kept, ResponseCoding.GZIP))
          .isInstanceOf(OverloadedException.class);
      try (var admitted = admission.open(kept, ResponseCoding.IDENTITY)) {
        assertThat(admitted.body()).isInstanceOf(FixedLengthBody.class);
      }
    }
    try (var admitted = admission.open(unknown, ResponseCoding.IDENTITY)) {
      assertThat(admitted.body()).isSameAs(large);
    }
  }
}
