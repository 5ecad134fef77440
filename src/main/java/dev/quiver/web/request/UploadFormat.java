package dev.quiver.web.request;

import dev.quiver.ipc.BodyFormat;
import dev.quiver.web.http.MediaTypes;
import dev.quiver.web.http.ParameterizedValue;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// The declared format of a request body, checked before the body is requested.
public final class UploadFormat {

  public static final String FORM = "multipart/form-data";

  /// The media types of Arrow data, for `Accept-Post` and in problems.
  public static final String ACCEPTED =
      MediaTypes.ARROW_STREAM + ", " + MediaTypes.ARROW_FILE + ", application/octet-stream";

  private UploadFormat() {}

  /// Returns the format that `Content-Type` declares. For untyped bytes it is unknown, and their
  /// content decides.
  ///
  /// @throws ProblemException 415 if the media type is unsupported, 400 if the body is partial
  public static BodyFormat of(HttpServletRequest request) {
    requireWhole(request);
    return of(request.getContentType());
  }

  /// Rejects a partial body.
  ///
  /// @throws ProblemException 400 if the body is partial
  static void requireWhole(HttpServletRequest request) {
    // RFC 9110 §14.5: storing a partial body as a complete one would lose the rest.
    if (request.getHeader("Content-Range") != null) {
      throw Problem.of(
              ProblemType.BAD_REQUEST,
              "Expected a complete body but found a partial one at header Content-Range")
          .asException();
    }
  }

  /// Returns the format that a `Content-Type` declares, or unknown if the content decides.
  ///
  /// @throws ProblemException 415 if the media type is unsupported
  static BodyFormat of(@Nullable String contentType) {
    String mediaType = ParameterizedValue.withoutParameters(contentType);
    return switch (mediaType) {
      case MediaTypes.ARROW_STREAM -> BodyFormat.STREAM;
      case MediaTypes.ARROW_FILE -> BodyFormat.FILE;
      case "", "application/octet-stream" -> BodyFormat.UNKNOWN;
      case "application/x-www-form-urlencoded" ->
          throw unsupported(
                  "Expected Arrow data but found application/x-www-form-urlencoded at header"
                      + " Content-Type, which is the default of curl: add -H"
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

  /// Returns status 415. The advice adds `Accept-Post`.
  public static Problem unsupported(String detail) {
    return Problem.of(ProblemType.UNSUPPORTED_MEDIA_TYPE, detail);
  }
}
