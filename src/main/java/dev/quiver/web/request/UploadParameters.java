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

/// What an upload says of how to store it, in its query or in a form.
public final class UploadParameters {

  private UploadParameters() {}

  /// @throws ProblemException 400 for values that there are not
  public static UploadOptions of(HttpServletRequest request) {
    return of(
        request.getParameter("batches"),
        request.getParameter("codec"),
        "parameter %s",
        UploadOptions.DEFAULT);
  }

  /// @param where what is called like a value says it, as a format
  /// @param otherwise what holds where a value is null
  /// @throws ProblemException 400 for values that there are not
  static UploadOptions of(
      @Nullable String batches, @Nullable String codec, String where, UploadOptions otherwise) {
    return new UploadOptions(
        batches == null ? otherwise.batches() : batchSizes(batches, where),
        codec == null ? otherwise.codec() : codec(codec, where));
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
