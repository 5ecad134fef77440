package dev.quiver.web.request;

import dev.quiver.config.QuiverProperties;
import dev.quiver.input.InputException;
import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.web.connector.IncomingBody;
import dev.quiver.web.connector.TransferRateGuard;
import dev.quiver.web.http.ContentDigest;
import dev.quiver.web.http.RequestCoding;
import dev.quiver.web.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The content of a request: its body, checked against its digest and without its coding.
///
/// How much of it there may be, `dataset` and `inspect` count; how much it may grow to, this does.
/// A moderate amount is free, for what compresses to nothing, such as a column of zeros.
public final class DecodedRequestBody implements ByteSource, AutoCloseable {

  /// Bytes that a body may be decoded to however small it is.
  static final long FREE_BYTE_SIZE = 256L << 20;

  private static final int SCRAP_BYTES = 64 << 10;

  private final RawRequestBody received;
  private final RequestCoding.Decoded decoded;
  private final Limit ratio;
  private long decodedByteCount;

  private DecodedRequestBody(RawRequestBody received, RequestCoding.Decoded decoded, Limit ratio) {
    this.received = received;
    this.decoded = decoded;
    this.ratio = ratio;
  }

  /// The body of `request`, of which nothing is read yet.
  ///
  /// @param inFlight has the memory that its coding takes, until it is read to its end, or closed
  /// @throws dev.quiver.input.TooLargeInputException when its length is announced and too large
  /// @throws ProblemException 415 for a coding that is not taken, 400 for a digest that is none
  public static DecodedRequestBody of(
      HttpServletRequest request, QuiverProperties.RequestLimits limits, InFlightBytes inFlight)
      throws IOException {
    limits
        .request()
        .check(request.getContentLengthLong(), "bytes of a request", InputLocation.UNKNOWN);
    RequestCoding coding = RequestCoding.of(request);
    ContentDigest digest = ContentDigest.of(request);
    RawRequestBody received =
        new RawRequestBody(
            request.getInputStream(),
            IncomingBody.of(request),
            TransferRateGuard.start(limits),
            limits.request());
    return new DecodedRequestBody(
        received,
        coding.decode(digest.check(received), inFlight),
        limits.arrow().decompressionRatio());
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
          InputLocation.UNKNOWN);
    }
    return count;
  }

  /// Reads on to the end, or until the client goes away or is too slow: for who was answered
  /// before, and may listen only when all is sent.
  public void skipRest() {
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
