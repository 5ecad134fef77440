package dev.quiver.web;

import dev.quiver.ipc.BodyFormat;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a request says its body is, checked before the body is asked for.
final class UploadFormat {

  private static final String TAKEN =
      ArrowMediaTypes.STREAM + ", " + ArrowMediaTypes.FILE + ", application/octet-stream";

  private UploadFormat() {}

  /// The format that `Content-Type` names; unknown for bytes of no type, which then decide.
  ///
  /// @throws ProblemException for what is not taken at all, or is a part of a body
  static BodyFormat of(HttpServletRequest request) {
    // RFC 9110 §14.5: a server that stored a part as the whole would lose the rest.
    if (request.getHeader("Content-Range") != null) {
      throw Problem.of(
              ProblemType.BAD_REQUEST,
              "Expected a whole body but found a part of one at header Content-Range")
          .asException();
    }
    String coding = request.getHeader("Content-Encoding");
    if (coding != null && !coding.strip().equalsIgnoreCase("identity")) {
      throw Problem.of(
              ProblemType.UNSUPPORTED_MEDIA_TYPE,
              "Expected no coding but found " + coding + " at header Content-Encoding")
          .withHeader("Accept-Encoding", "identity")
          .asException();
    }
    return format(mediaType(request.getContentType()));
  }

  private static BodyFormat format(String mediaType) {
    return switch (mediaType) {
      case ArrowMediaTypes.STREAM -> BodyFormat.STREAM;
      case ArrowMediaTypes.FILE -> BodyFormat.FILE;
      case "", "application/octet-stream" -> BodyFormat.UNKNOWN;
      case "application/x-www-form-urlencoded" ->
          throw unsupported(
                  "Expected Arrow data but found application/x-www-form-urlencoded at header"
                      + " Content-Type, which curl sends unless told otherwise: add -H"
                      + " 'Content-Type: "
                      + ArrowMediaTypes.STREAM
                      + "'")
              .asException();
      default ->
          throw unsupported(
                  "Expected " + TAKEN + " but found " + mediaType + " at header Content-Type")
              .asException();
    };
  }

  /// Status 415 with what is taken instead.
  static Problem unsupported(String detail) {
    return Problem.of(ProblemType.UNSUPPORTED_MEDIA_TYPE, detail).withHeader("Accept-Post", TAKEN);
  }

  private static String mediaType(@Nullable String contentType) {
    if (contentType == null) {
      return "";
    }
    int semicolon = contentType.indexOf(';');
    String type = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
    return type.strip().toLowerCase(Locale.ROOT);
  }
}
