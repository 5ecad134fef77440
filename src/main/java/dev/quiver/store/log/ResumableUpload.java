package dev.quiver.store.log;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state of an upload that arrives in several requests.
///
/// @param principal the name of the principal that started it and alone may continue it
/// @param request the request that started it
/// @param byteSize the size of the whole body in bytes, or null until it is known
/// @param complete whether every byte has arrived
/// @param parts the bytes that have arrived, in order; none once they are stored
/// @param claim of the service that stores or deletes the upload, or null
/// @param triedAt when a service began to store it first, or null; whether it did may be unknown
/// @param outcome the response to the whole upload, or null until there is one; with parts, it is
///   of a job that may still need them
public record ResumableUpload(
    String id,
    String principal,
    Request request,
    Instant changedAt,
    @Nullable Long byteSize,
    boolean complete,
    List<Part> parts,
    @Nullable Claim claim,
    @Nullable Instant triedAt,
    @Nullable Outcome outcome) {

  public ResumableUpload {
    parts = List.copyOf(parts);
  }

  /// The parts of the first request that count once the body is whole.
  ///
  /// @param target the path, and the query if there is one
  public record Request(String method, String target, List<Header> headers) {

    public Request {
      headers = List.copyOf(headers);
    }
  }

  /// A header field of the first request.
  public record Header(String name, String value) {}

  /// A blob with some of the bytes.
  ///
  /// @param crc32c the checksum of these bytes
  public record Part(String key, long byteSize, int crc32c) {}

  /// A claim to an upload.
  ///
  /// @param holder a random text
  /// @param until when the claim ends, unless it is renewed
  public record Claim(String holder, Instant until) {}

  /// A response that is repeated if it was lost.
  public record Outcome(int status, List<Header> headers, String body) {

    public Outcome {
      headers = List.copyOf(headers);
    }
  }

  /// Returns the number of bytes that have arrived.
  public long offset() {
    return outcome != null && byteSize != null
        ? byteSize
        : parts.stream().mapToLong(Part::byteSize).sum();
  }

  /// Returns whether every byte has arrived: the client said so, or stated the size.
  ///
  /// tus-js-client 4 in Node does not say so in the last part of a file that was cut.
  public boolean isWhole() {
    return complete || byteSize != null && byteSize == offset();
  }

  /// Returns whether a service stores or deletes the upload at a time.
  public boolean isClaimed(Instant now) {
    return claim != null && now.isBefore(claim.until());
  }

  /// Returns when the upload was changed last, or up to when it is claimed.
  Instant activeAt() {
    return claim == null ? changedAt : claim.until();
  }

  /// Returns the state after another part.
  public ResumableUpload with(Part part, Instant now) {
    List<Part> all = new ArrayList<>(parts);
    all.add(part);
    return new ResumableUpload(
        id, principal, request, now, byteSize, complete, all, null, triedAt, outcome);
  }

  /// Returns the state once every byte has arrived.
  public ResumableUpload completed(Instant now) {
    return new ResumableUpload(
        id, principal, request, now, offset(), true, parts, claim, triedAt, outcome);
  }

  /// Returns the state once a job has the bytes, which may be lost before it has stored them.
  public ResumableUpload accepted(Outcome response, Instant now) {
    return new ResumableUpload(
        id, principal, request, now, offset(), true, parts, null, triedAt, response);
  }

  /// Returns whether a job has the bytes, of which it is not known whether it has stored them.
  public boolean isAccepted() {
    return outcome != null && !parts.isEmpty();
  }

  /// Returns the state once the upload is stored.
  public ResumableUpload ended(Outcome response, Instant now) {
    return new ResumableUpload(
        id, principal, request, now, offset(), true, List.of(), null, triedAt, response);
  }

  /// Returns the state once the bytes of an accepted upload are no longer needed.
  public ResumableUpload ended() {
    return new ResumableUpload(
        id, principal, request, changedAt, byteSize, true, List.of(), null, triedAt, outcome);
  }

  /// Returns the state with another size of the whole body.
  public ResumableUpload sized(long whole, Instant now) {
    return new ResumableUpload(
        id, principal, request, now, whole, complete, parts, claim, triedAt, outcome);
  }

  /// Returns the same state at another time.
  public ResumableUpload touched(Instant now) {
    return new ResumableUpload(
        id, principal, request, now, byteSize, complete, parts, claim, triedAt, outcome);
  }

  /// Returns the state with another claim.
  public ResumableUpload claimed(@Nullable Claim by) {
    return new ResumableUpload(
        id, principal, request, changedAt, byteSize, complete, parts, by, triedAt, outcome);
  }

  /// Returns the state once a service begins to store the upload.
  public ResumableUpload tried(Instant now) {
    return new ResumableUpload(
        id,
        principal,
        request,
        changedAt,
        byteSize,
        complete,
        parts,
        claim,
        triedAt == null ? now : triedAt,
        outcome);
  }
}
