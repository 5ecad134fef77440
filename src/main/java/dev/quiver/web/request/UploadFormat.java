package dev.quiver.web.request;

import dev.quiver.ipc.BodyFormat;
import dev.quiver.web.http.MediaTypes;
import dev.quiver.web.http.ParameterizedValue;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import dev.quiver.web.resource.DatasetFormat;
import dev.quiver.web.resource.StoredFormat;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// The declared format of a request body, checked before the body is requested.
public final class UploadFormat {

  public static final String FORM = "multipart/form-data";

  /// The media types of Arrow data, for `Accept-Post` and in problems.
  public static final String ACCEPTED =
      MediaTypes.ARROW_STREAM + ", " + MediaTypes.ARROW_FILE + ", application/octet-stream";

  private UploadFormat() {}

  /// Returns the format that `Content-Type` declares. For a generic type it is unknown, and the
  /// content decides.
  ///
  /// @throws ProblemException 415 if the media type is unsupported, 400 if the body is partial
  public static BodyFormat of(HttpServletRequest request) {
    return of(request, null);
  }

  /// Returns the format that the suffix of the path declares, or else `Content-Type`.
  ///
  /// @param suffixed the format of the suffix, or null if absent
  /// @throws ProblemException 415 if the media type is unsupported, 400 if the body is partial or
  ///   suffix and media type differ
  public static BodyFormat of(HttpServletRequest request, @Nullable DatasetFormat suffixed) {
    requireWhole(request);
    BodyFormat typed = of(request.getContentType());
    if (!(suffixed instanceof StoredFormat stored)) {
      return typed;
    }
    BodyFormat format = stored == StoredFormat.FILE ? BodyFormat.FILE : BodyFormat.STREAM;
    if (typed != BodyFormat.UNKNOWN && typed != format) {
      throw Problem.of(
              ProblemType.BAD_REQUEST,
              "Expected %s, as the suffix of the path says, but found %s at header Content-Type"
                  .formatted(stored.mediaType(), mediaType(request.getContentType())))
          .asException();
    }
    return format;
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

  /// Returns the format that a `Content-Type` declares, or unknown for a generic type, which
  /// clients send for any bytes.
  ///
  /// @throws ProblemException 415 if the media type is unsupported
  static BodyFormat of(@Nullable String contentType) {
    String mediaType = mediaType(contentType);
    return switch (mediaType) {
      case MediaTypes.ARROW_STREAM -> BodyFormat.STREAM;
      case MediaTypes.ARROW_FILE -> BodyFormat.FILE;
      case "",
          "application/octet-stream",
          // The default of curl, wget, axios and urllib.
          "application/x-www-form-urlencoded",
          // The default of HTTPie.
          "application/json" ->
          BodyFormat.UNKNOWN;
      default ->
          throw unsupported(
                  "Expected " + ACCEPTED + " but found " + mediaType + " at header Content-Type")
              .asException();
    };
  }

  private static String mediaType(@Nullable String contentType) {
    return ParameterizedValue.withoutParameters(contentType);
  }

  /// Returns status 415. The advice adds `Accept-Post`.
  public static Problem unsupported(String detail) {
    return Problem.of(ProblemType.UNSUPPORTED_MEDIA_TYPE, detail);
  }
}
