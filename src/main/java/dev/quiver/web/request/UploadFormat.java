package dev.quiver.web.request;

import dev.quiver.ipc.BodyFormat;
import dev.quiver.web.http.MediaTypes;
import dev.quiver.web.http.ParameterizedValue;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// What a request says its body is, checked before the body is asked for.
public final class UploadFormat {

  public static final String FORM = "multipart/form-data";

  /// The media types of Arrow data, for `Accept-Post` and in problems.
  public static final String ACCEPTED =
      MediaTypes.ARROW_STREAM + ", " + MediaTypes.ARROW_FILE + ", application/octet-stream";

  private UploadFormat() {}

  /// The format that `Content-Type` names; unknown for bytes of no type, which then decide.
  ///
  /// @throws ProblemException for what is not taken at all, or is a part of a body
  public static BodyFormat of(HttpServletRequest request) {
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
    String mediaType = ParameterizedValue.withoutParameters(contentType);
    return switch (mediaType) {
      case MediaTypes.ARROW_STREAM -> BodyFormat.STREAM;
      case MediaTypes.ARROW_FILE -> BodyFormat.FILE;
      case "", "application/octet-stream" -> BodyFormat.UNKNOWN;
      case "application/x-www-form-urlencoded" ->
          throw unsupported(
                  "Expected Arrow data but found application/x-www-form-urlencoded at header"
                      + " Content-Type, which curl sends unless told otherwise: add -H"
                      + " 'Content-Type: "
                      + MediaTypes.ARROW_STREAM
                      + "'")
              .asException();
      default ->
          throw unsupported(
                  "Expected " + ACCEPTED + " but found " + mediaType + " at header Content-Type")
              .asException();
    };
  }

  /// Status 415, to which the advice adds what is taken instead.
  public static Problem unsupported(String detail) {
    return Problem.of(ProblemType.UNSUPPORTED_MEDIA_TYPE, detail);
  }
}
