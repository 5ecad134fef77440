package dev.quiver.server.write;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.server.config.UploadsProperties;
import dev.quiver.server.http.MediaTypes;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.UploadLimit;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

/// The versions of the draft that clients speak, by the number in their header.
enum InteropVersion {
  /// The third text of the draft. A PATCH needs no media type.
  FIVE("5"),
  /// The fifth text of the draft.
  SIX("6"),
  /// The newest one, also of requests that name none.
  EIGHT("8");

  static final String HEADER = "Upload-Draft-Interop-Version";

  private final String number;

  InteropVersion(String number) {
    this.number = number;
  }

  /// Returns the version of a request, which its response names too if the request does.
  ///
  /// @throws dev.quiver.server.http.ProblemException 400 if it is another one
  static InteropVersion of(HttpServletRequest request, HttpServletResponse response) {
    String value = request.getHeader(HEADER);
    if (value == null) {
      return EIGHT;
    }
    for (InteropVersion version : values()) {
      if (version.number.equals(value.strip())) {
        response.setHeader(HEADER, version.number);
        return version;
      }
    }
    throw Problem.badRequest(
        "Expected 5, 6 or 8 but found %s at header %s"
            .formatted(Excerpt.of(value, Problem.QUOTE_LENGTH), HEADER));
  }

  /// Returns whether the content of a PATCH may have this media type.
  boolean accepts(@Nullable String mediaType) {
    return mediaType == null ? this == FIVE : mediaType.equalsIgnoreCase(MediaTypes.PARTIAL_UPLOAD);
  }

  /// Returns the value of `Upload-Limit`. An upload of any size fits into parts of the least size
  /// that it tells.
  String limits(long maximumByteSize, UploadsProperties uploads) {
    String age = this == EIGHT ? "max-age" : "expires";
    long part = Math.ceilDiv(maximumByteSize, uploads.parts());
    return "%s, min-append-size=%d, %s=%d"
        .formatted(
            UploadLimit.ofByteSize(maximumByteSize), part, age, uploads.expires().toSeconds());
  }
}
