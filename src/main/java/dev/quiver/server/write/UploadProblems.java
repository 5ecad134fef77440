package dev.quiver.server.write;

import dev.quiver.server.http.Problem;
import java.util.Map;

/// The problems whose types the draft defines.
final class UploadProblems {

  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
  private static final String OVERTAKEN = "Upload continued elsewhere";
  private static final int BAD_REQUEST = 400;
  private static final int CONFLICT = 409;
  private static final int LOCKED = 423;

  private UploadProblems() {}

  private static Problem of(String type, String title, int status, String detail) {
    return new Problem(TYPES + type, title, status, detail, Map.of(), Map.of());
  }

  /// Returns the problem of a part that does not begin where the bytes so far end.
  static RuntimeException mismatch(long expected, long found) {
    return of(
            "mismatching-upload-offset",
            "Mismatching upload offset",
            CONFLICT,
            "Expected %d but found %d at header %s"
                .formatted(expected, found, UploadHeaders.OFFSET))
        .with("expected-offset", expected)
        .withHint("Go on from the byte that Upload-Offset states in the response to a HEAD.")
        .with("provided-offset", found)
        .withHeader(UploadHeaders.OFFSET, Long.toString(expected))
        .withHeader(UploadHeaders.COMPLETE, "?0")
        .asException();
  }

  /// Returns the problem of an upload that is missing, or belongs to another principal.
  static RuntimeException notFound(String path) {
    return Problem.notFound(path)
        .withHint("Begin the upload again: it has ended, or another principal began it.")
        .asException();
  }

  /// Returns the problem of a part that follows the last one.
  static RuntimeException completed(long offset) {
    return of(
            "completed-upload",
            "Upload is completed",
            BAD_REQUEST,
            "Expected an unfinished upload but found one of %d bytes".formatted(offset))
        .withHint("Begin another upload for other data.")
        .withHeader(UploadHeaders.OFFSET, Long.toString(offset))
        .withHeader(UploadHeaders.COMPLETE, "?1")
        .asException();
  }

  /// Returns the problem of an upload of another size than was stated.
  static RuntimeException inconsistent(long expected, long found) {
    return of(
            "inconsistent-upload-length",
            "Inconsistent upload length",
            BAD_REQUEST,
            "Expected an upload of %d bytes but found %d".formatted(expected, found))
        .withHint("State the same size in Upload-Length each time, or leave it out.")
        .asException();
  }

  /// Returns the problem of a request while the upload is stored.
  static RuntimeException locked() {
    return Problem.ofStatus(
            LOCKED,
            "Locked",
            "Expected an upload that waits for data but found one that is being stored")
        .withHint(Problem.RETRY_HINT)
        .withHeader("Retry-After", "1")
        .asException();
  }

  /// Returns the problem of an upload that is whole, but cannot be stored at the moment.
  static RuntimeException notStoredYet() {
    return Problem.ofStatus(
            LOCKED,
            "Locked",
            "Expected an upload that is stored but found one that cannot be stored at the moment")
        .withHint(Problem.RETRY_HINT)
        .withHeader("Retry-After", "5")
        .asException();
  }

  /// Returns whether a problem is that of [#overtaken].
  static boolean isOvertaken(Problem problem) {
    return problem.title().equals(OVERTAKEN);
  }

  /// Returns the problem of a request that another one has overtaken.
  static RuntimeException overtaken() {
    return Problem.ofStatus(
            CONFLICT, OVERTAKEN, "Expected no other request for the upload but found a later one")
        .withHint("Ask by HEAD how far the upload is, and go on from there.")
        .asException();
  }
}
