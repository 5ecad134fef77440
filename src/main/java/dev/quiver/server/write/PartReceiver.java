package dev.quiver.server.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.server.access.Access;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.RequestDigests;
import dev.quiver.server.http.RequestHead;
import dev.quiver.server.transfer.RawRequestBody;
import dev.quiver.store.access.PrincipalLimits;
import dev.quiver.store.catalog.WriterFullException;
import dev.quiver.store.log.PartWriter;
import dev.quiver.store.log.ResumableUpload;
import dev.quiver.store.log.UploadStore;
import dev.quiver.store.log.UploadStore.Stored;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Receives the content of a request as parts of an upload. What has arrived before the connection
/// was cut is kept.
@Component
final class PartReceiver {

  /// The most bytes that a killed service loses.
  private static final long PART_BYTES = 32L << 20;

  private static final int BUFFER_BYTES = 256 << 10;

  private final UploadStore store;
  private final RequestLimits limits;
  private final Limit parts;
  private final InFlightBytes inFlight;

  PartReceiver(UploadStore store, QuiverProperties properties, InFlightBytes inFlight) {
    this.store = store;
    this.inFlight = inFlight;
    this.limits = properties.limits();
    this.parts = new Limit("quiver.uploads.parts", properties.uploads().parts());
  }

  /// Adds the content of a request.
  ///
  /// @return the state with all of it
  /// @throws ProblemException or [InputException] if the content ends early; what came is kept
  Stored receive(Stored start, HttpServletRequest request, Turn turn) throws IOException {
    ByteSource content =
        RequestDigests.ofPart(RequestHead.of(request)).check(RawRequestBody.of(request, limits));
    Progress progress = new Progress(start, ownBytes(start, request));
    try (InFlightBytes.Charge charge = inFlight.open();
        Arena arena = Arena.ofConfined()) {
      charge.take(BUFFER_BYTES, InputLocation.UNKNOWN);
      MemorySegment buffer = arena.allocate(BUFFER_BYTES);
      boolean more = true;
      while (more) {
        more = receivePart(progress, content, buffer, turn);
      }
    }
    return progress.stored;
  }

  private static final class Progress {

    private final Stored start;
    private final OwnBytes ownBytes;
    private Stored stored;

    Progress(Stored start, OwnBytes ownBytes) {
      this.start = start;
      this.ownBytes = ownBytes;
      this.stored = start;
    }
  }

  /// The bytes that the principal has in parts of uploads before a request.
  private record OwnBytes(Limit limit, long before) {

    void check(long received) throws WriterFullException {
      if (PrincipalLimits.isSet(limit) && before + received > limit.maximum()) {
        throw new WriterFullException(limit, before + received);
      }
    }
  }

  private OwnBytes ownBytes(Stored start, HttpServletRequest request) throws IOException {
    Limit limit = Access.of(request).limits().storedBytes();
    long before =
        PrincipalLimits.isSet(limit) ? store.partsByteSizeOf(start.upload().principal()) : 0;
    return new OwnBytes(limit, before);
  }

  /// @return whether more may follow
  private boolean receivePart(
      Progress progress, ByteSource content, MemorySegment buffer, Turn turn) throws IOException {
    long offset = progress.stored.upload().offset();
    RuntimeException failure = null;
    boolean more = true;
    try (PartWriter part = store.begin(progress.stored.upload().id())) {
      while (more && failure == null && part.byteSize() < PART_BYTES) {
        try {
          long count = content.read(buffer);
          more = count >= 0;
          if (count > 0) {
            long received = offset + part.byteSize() + count;
            checkSize(progress.stored.upload(), received);
            progress.ownBytes.check(received - progress.start.upload().offset());
            part.write(buffer.asSlice(0, count));
          }
          if (turn.isOvertaken()) {
            failure = UploadProblems.overtaken();
          }
        } catch (ProblemException | InputException e) {
          failure = e;
        }
      }
      if (isDigestMismatch(failure)) {
        List<ResumableUpload.Part> wrong = new ArrayList<>(progress.stored.upload().parts());
        wrong.removeAll(progress.start.upload().parts());
        keep(progress, progress.start.upload().touched(Instant.now()));
        store.delete(wrong);
      } else if (part.byteSize() > 0) {
        parts.check(
            progress.stored.upload().parts().size() + 1L,
            "parts of an upload",
            InputLocation.UNKNOWN);
        keep(progress, progress.stored.upload().with(part.commit(), Instant.now()));
      }
    }
    if (failure != null) {
      throw failure;
    }
    return more;
  }

  private static boolean isDigestMismatch(@Nullable RuntimeException failure) {
    return failure instanceof ProblemException problem
        && problem.problem().isOf(ProblemType.DIGEST_MISMATCH);
  }

  private void keep(Progress progress, ResumableUpload next) throws IOException {
    Stored kept = store.put(next, progress.stored.revision());
    if (kept == null) {
      List<ResumableUpload.Part> late = new ArrayList<>(next.parts());
      late.removeAll(progress.stored.upload().parts());
      store.delete(late);
      throw UploadProblems.overtaken();
    }
    progress.stored = kept;
  }

  private void checkSize(ResumableUpload upload, long byteSize) {
    limits.request().check(byteSize, "bytes of an upload", InputLocation.UNKNOWN);
    Long expected = upload.byteSize();
    if (expected != null && byteSize > expected) {
      throw UploadProblems.inconsistent(expected, byteSize);
    }
  }
}
