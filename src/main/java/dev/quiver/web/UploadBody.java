package dev.quiver.web;

import dev.quiver.memory.ByteSource;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.memory.InputException;
import dev.quiver.memory.Limit;
import dev.quiver.memory.Place;
import dev.quiver.web.connector.IncomingBody;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The content of a request: its body, checked against its digest and without its coding.
///
/// How much of it there may be, `dataset` and `inspect` count; how much it may grow to, this does.
/// A moderate amount is free, for what compresses to nothing, such as a column of zeros.
final class UploadBody implements ByteSource, AutoCloseable {

  /// Bytes that a body may be decoded to however small it is.
  static final long FREE_BYTE_SIZE = 256L << 20;

  private static final int SCRAP_BYTES = 64 << 10;

  private final ReceivedBody received;
  private final RequestCoding.Decoded decoded;
  private final Limit ratio;
  private long decodedByteCount;

  private UploadBody(ReceivedBody received, RequestCoding.Decoded decoded, Limit ratio) {
    this.received = received;
    this.decoded = decoded;
    this.ratio = ratio;
  }

  /// The body of `request`, of which nothing is read yet.
  ///
  /// @param inFlight has the memory that its coding takes, until it is read to its end, or closed
  /// @throws dev.quiver.memory.TooLargeInputException when its length is announced and too large
  /// @throws ProblemException 415 for a coding that is not taken, 400 for a digest that is none
  static UploadBody of(
      HttpServletRequest request, QuiverProperties.RequestLimits limits, InFlightBytes inFlight)
      throws IOException {
    limits.request().check(request.getContentLengthLong(), "bytes of a request", Place.UNKNOWN);
    RequestCoding coding = RequestCoding.of(request);
    ContentDigest digest = ContentDigest.of(request);
    ReceivedBody received =
        new ReceivedBody(
            request.getInputStream(),
            IncomingBody.of(request),
            TransferClock.start(limits),
            limits.request());
    return new UploadBody(
        received,
        coding.decode(digest.check(received), inFlight),
        limits.arrow().uncompressedRatio());
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    long count = decoded.source().read(destination);
    decodedByteCount += Math.max(count, 0);
    long excess = decodedByteCount - FREE_BYTE_SIZE;
    if (excess > 0) {
      ratio.check(
          Math.ceilDiv(excess, received.byteCount()),
          "decoded bytes per byte of the body so far, past the first " + FREE_BYTE_SIZE,
          Place.UNKNOWN);
    }
    return count;
  }

  /// Reads on to the end, or until the client goes away or is too slow: for who was answered
  /// before, and may listen only when all is sent.
  void skipRest() {
    MemorySegment scrap = MemorySegment.ofArray(new byte[SCRAP_BYTES]);
    try {
      while (received.read(scrap) >= 0) {
        // Nothing is done with it.
      }
    } catch (ProblemException | InputException answeredAlready) {
      // There is nobody to tell it to.
    }
  }

  /// Frees what decoding takes; the rest of the body is left where it is.
  @Override
  public void close() {
    decoded.close();
  }
}
