package dev.quiver.web;

import dev.quiver.ipc.BodyFormat;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a request says its body is, checked before the body is asked for.
final class UploadFormat {

  static final String FORM = "multipart/form-data";

  private static final String TAKEN =
      ArrowMediaTypes.STREAM + ", " + ArrowMediaTypes.FILE + ", application/octet-stream";

  private UploadFormat() {}

  /// The format that `Content-Type` names; unknown for bytes of no type, which then decide.
  ///
  /// @throws ProblemException for what is not taken at all, or is a part of a body
  static BodyFormat of(HttpServletRequest request) {
    requireWhole(request);
    return of(request.getContentType());
  }

  /// @throws ProblemException 400 for a part of a body
  static void requireWhole(HttpServletRequest request) {
    // RFC 9110 §14.5: a server that stored a part as the whole would lose the rest.
    if (request.getHeader("Content-Range") != null) {
      throw Problem.of(
              ProblemType.BAD_REQUEST,
              "Expected a whole body but found a part of one at header Content-Range")
          .asException();
    }
  }

  /// The format that a `Content-Type` names, or that bytes then decide without one.
  ///
  /// @throws ProblemException 415 for what is not taken
  static BodyFormat of(@Nullable String contentType) {
    String mediaType = mediaType(contentType);
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

  /// Status 415, to which the advice adds what is taken instead.
  static Problem unsupported(String detail) {
    return Problem.of(ProblemType.UNSUPPORTED_MEDIA_TYPE, detail);
  }

  /// The value of `Accept-Post` for a resource.
  static String acceptPost(HttpServletRequest request) {
    boolean forms =
        request.getServletPath().equals(DatasetsController.PATH)
            || InteropFilter.posted(request) == Interop.Convention.POST_MULTIPART;
    return forms ? TAKEN + ", " + FORM : TAKEN;
  }

  /// The type without its parameters, in lower case; empty without one.
  static String mediaType(@Nullable String contentType) {
    if (contentType == null) {
      return "";
    }
    int semicolon = contentType.indexOf(';');
    String type = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
    return type.strip().toLowerCase(Locale.ROOT);
  }
}
