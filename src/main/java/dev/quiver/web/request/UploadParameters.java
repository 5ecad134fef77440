package dev.quiver.web.request;

import dev.quiver.codec.Codec;
import dev.quiver.codec.RequestedCodec;
import dev.quiver.dataset.ingest.UploadOptions;
import dev.quiver.dataset.ingest.UploadOptions.BatchSizes;
import dev.quiver.input.Excerpt;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// The storage options of an upload, from its query or form.
public final class UploadParameters {

  private static final String QUERY = "parameter %s";

  private UploadParameters() {}

  /// Parses the query. The options are those of a body that is the data; a form has its own end.
  ///
  /// @throws ProblemException 400 if a value is invalid
  public static UploadOptions of(HttpServletRequest request) {
    return of(
            request.getParameter("batches"),
            request.getParameter("codec"),
            QUERY,
            UploadOptions.DEFAULT)
        .withEndOfStream(requiresEndOfStream(request));
  }

  /// Returns whether a stream must have its end-of-stream marker. It need not if the body has a
  /// declared length, of which every byte must arrive. A chunked body ends alike whether its
  /// producer succeeded or failed.
  private static boolean requiresEndOfStream(HttpServletRequest request) {
    String truncated = request.getParameter("truncated");
    if (truncated != null && !truncated.equals("accept")) {
      throw unexpected("accept", truncated, QUERY.formatted("truncated"));
    }
    return truncated == null && request.getContentLengthLong() < 0;
  }

  /// Parses the values of a query or form, for data whose end is known.
  ///
  /// @param where a format for the location of a value with this name
  /// @param defaults the options for null values
  /// @throws ProblemException 400 if a value is invalid
  static UploadOptions of(
      @Nullable String batches, @Nullable String codec, String where, UploadOptions defaults) {
    return new UploadOptions(
        batches == null ? defaults.batches() : batchSizes(batches, where),
        codec == null ? defaults.codec() : codec(codec, where));
  }

  private static BatchSizes batchSizes(String value, String where) {
    if (value.equals("keep")) {
      return BatchSizes.PRESERVED;
    }
    throw unexpected("keep", value, where.formatted("batches"));
  }

  private static RequestedCodec codec(String value, String where) {
    for (Codec codec : Codec.values()) {
      if (codec.word().equals(value)) {
        return new RequestedCodec(codec);
      }
    }
    throw unexpected("none, lz4 or zstd", value, where.formatted("codec"));
  }

  private static ProblemException unexpected(String expected, String found, String where) {
    return Problem.of(
            ProblemType.BAD_REQUEST,
            "Expected %s but found \"%s\" at %s"
                .formatted(expected, Excerpt.of(found, Problem.QUOTE_LENGTH), where))
        .asException();
  }
}
