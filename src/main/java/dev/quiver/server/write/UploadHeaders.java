package dev.quiver.server.write;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.server.http.ParameterizedValue;
import dev.quiver.server.http.Problem;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// The headers of the draft: structured fields (RFC 9651) without parameters.
final class UploadHeaders {

  static final String COMPLETE = "Upload-Complete";
  static final String LENGTH = "Upload-Length";
  static final String OFFSET = "Upload-Offset";

  /// The digits of the largest integer of a structured field.
  private static final int MOST_DIGITS = 15;

  private UploadHeaders() {}

  /// Returns whether the content of a request ends the upload.
  static boolean complete(HttpServletRequest request) {
    String value = request.getHeader(COMPLETE);
    return switch (value == null ? "none" : value.strip()) {
      case "?1" -> true;
      case "?0" -> false;
      default -> throw malformed("?0 or ?1", value, COMPLETE);
    };
  }

  /// Returns where the content of a request belongs.
  static long offset(HttpServletRequest request) {
    Long offset = number(request, OFFSET);
    if (offset == null) {
      throw malformed("a number of bytes", null, OFFSET);
    }
    return offset;
  }

  /// Returns the size of the whole body that a request states or implies, or null if unknown.
  ///
  /// @param offset where the content of the request begins
  /// @throws dev.quiver.server.http.ProblemException 400 if it states two different ones
  static @Nullable Long byteSize(HttpServletRequest request, long offset, boolean complete) {
    Long stated = number(request, LENGTH);
    long content = request.getContentLengthLong();
    if (!complete || content < 0) {
      return stated;
    }
    long implied = offset + content;
    if (stated != null && stated != implied) {
      throw UploadProblems.inconsistent(stated, implied);
    }
    return implied;
  }

  static @Nullable String mediaType(HttpServletRequest request) {
    String type = request.getContentType();
    return type == null ? null : ParameterizedValue.withoutParameters(type);
  }

  private static @Nullable Long number(HttpServletRequest request, String name) {
    String value = request.getHeader(name);
    if (value == null) {
      return null;
    }
    String digits = value.strip();
    if (digits.isEmpty()
        || digits.length() > MOST_DIGITS
        || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      throw malformed("a number of bytes", value, name);
    }
    return Long.parseLong(digits);
  }

  private static RuntimeException malformed(String expected, @Nullable String found, String name) {
    return Problem.badRequest(
        "Expected %s but found %s at header %s"
            .formatted(
                expected, found == null ? "none" : Excerpt.of(found, Problem.QUOTE_LENGTH), name));
  }
}
