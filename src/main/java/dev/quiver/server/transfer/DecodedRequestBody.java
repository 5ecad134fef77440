package dev.quiver.server.transfer;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.server.config.RequestLimits;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.RequestCoding;
import dev.quiver.server.http.RequestDigests;
import dev.quiver.server.http.RequestDrain;
import dev.quiver.server.http.RequestHead;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The decoded content of a request body, whose digest is checked.
///
/// `store` and `inspect` limit its size. This class limits its decompression ratio. A moderate size
/// is exempt, for content that compresses to almost nothing, such as a column of zeros.
public final class DecodedRequestBody implements ByteSource, AutoCloseable {

  /// The size of a rest that is received so that its connection stays open.
  private static final long SHORT_REST_BYTES = 1 << 20;

  private static final int DISCARD_BUFFER_BYTES = 64 << 10;

  private final Received received;

  /// The received bytes, whose digest is checked at their end.
  private final ByteSource checked;

  private final boolean hasDigest;
  private final long declaredByteSize;
  private final RequestCoding.Decoded decoded;
  private final @Nullable String sha256;
  private final Limit ratio;
  private long decodedByteCount;

  /// Whether the connection closes after the response, because the rest of the body is unread.
  private boolean isLeft;

  private DecodedRequestBody(
      RequestHead head, ByteSource body, RequestLimits limits, InFlightBytes inFlight) {
    RequestCoding coding = RequestCoding.of(head);
    RequestDigests digests = RequestDigests.of(head);
    this.received = new Received(body);
    this.checked = digests.check(received);
    this.hasDigest = !digests.isEmpty();
    this.declaredByteSize = head.byteSize();
    this.decoded = coding.decode(checked, inFlight);
    this.sha256 = coding == RequestCoding.IDENTITY ? digests.sha256() : null;
    this.ratio = limits.arrow().decompressionRatio();
  }

  /// Returns the unread body of `request`.
  ///
  /// @param head that of `request`
  /// @param inFlight accounts for decoding memory, until the body is read to its end or closed
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the declared length exceeds the
  ///   limit
  /// @throws ProblemException 415 if the coding is unsupported, 400 if the digest is malformed
  public static DecodedRequestBody of(
      RequestHead head, HttpServletRequest request, RequestLimits limits, InFlightBytes inFlight)
      throws IOException {
    requireFitting(head, limits);
    return new DecodedRequestBody(head, RawRequestBody.of(request, limits), limits, inFlight);
  }

  /// Returns the body of a request whose bytes have arrived before.
  ///
  /// @param head states their size, coding and digest
  /// @param inFlight accounts for decoding memory, until the body is read to its end or closed
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the size exceeds the limit
  /// @throws ProblemException 415 if the coding is unsupported, 400 if the digest is malformed
  public static DecodedRequestBody of(
      RequestHead head, ByteSource body, RequestLimits limits, InFlightBytes inFlight) {
    requireFitting(head, limits);
    return new DecodedRequestBody(head, body, limits, inFlight);
  }

  private static void requireFitting(RequestHead head, RequestLimits limits) {
    limits.request().check(head.byteSize(), "bytes of a request", InputLocation.UNKNOWN);
  }

  /// The bytes as the client sends them, which are counted.
  private static final class Received implements ByteSource {

    private final ByteSource body;
    private long byteCount;

    Received(ByteSource body) {
      this.body = body;
    }

    @Override
    public long read(MemorySegment destination) throws IOException {
      long count = body.read(destination);
      byteCount += Math.max(count, 0);
      return count;
    }
  }

  /// Returns the SHA-256 of the decoded content, as hexadecimal digits, which is verified at the
  /// end of the body. Null if the request has none, or one of coded content.
  public @Nullable String sha256() {
    return sha256;
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    long count = decoded.source().read(destination);
    decodedByteCount += Math.max(count, 0);
    ratio.checkRatio(
        decodedByteCount,
        received.byteCount,
        "decoded bytes per byte of the body so far",
        InputLocation.UNKNOWN);
    return count;
  }

  /// Receives the rest of a body that is not needed, without decoding it: if the request has a
  /// digest, or if the rest is known to be short, so that the connection stays open.
  ///
  /// @throws ProblemException 400 if the digest of the body is another
  public void receiveShortRest() throws IOException {
    boolean isShort =
        declaredByteSize >= 0 && declaredByteSize - received.byteCount <= SHORT_REST_BYTES;
    if (hasDigest || isShort) {
      discard(checked);
    }
  }

  /// Prepares a response that does not wait for the rest of the body. If part of it is unread, the
  /// connection closes after the response.
  public void leaveRest(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    isLeft = RequestDrain.closeAfterResponse(request, response);
  }

  /// Sends the response, and discards the rest of the body if it was left, until the client
  /// disconnects or is too slow. A client may read its response only after it has sent everything.
  public void discardRest(HttpServletResponse response) throws IOException {
    if (!isLeft) {
      return;
    }
    response.flushBuffer();
    try {
      discard(received);
    } catch (ProblemException | InputException alreadyResponded) {
      // The response is already sent.
    }
  }

  private static void discard(ByteSource rest) throws IOException {
    MemorySegment discarded = MemorySegment.ofArray(new byte[DISCARD_BUFFER_BYTES]);
    while (rest.read(discarded) >= 0) {
      // Discarded.
    }
  }

  /// Frees the memory of the decoder. The rest of the body remains unread.
  @Override
  public void close() {
    decoded.close();
  }
}
