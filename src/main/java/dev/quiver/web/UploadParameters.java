package dev.quiver.web;

import dev.quiver.dataset.StoredCodec;
import dev.quiver.dataset.UploadOptions;
import dev.quiver.dataset.UploadOptions.BatchSizes;
import dev.quiver.memory.Excerpt;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/// What an upload says of how to store it, in its query or in a form.
final class UploadParameters {

  private UploadParameters() {}

  /// @throws ProblemException 400 for values that there are not
  static UploadOptions of(HttpServletRequest request) {
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
      return BatchSizes.KEPT;
    }
    throw unexpected("keep", value, where.formatted("batches"));
  }

  private static StoredCodec codec(String value, String where) {
    return switch (value) {
      case "none" -> StoredCodec.NONE;
      case "lz4" -> StoredCodec.LZ4;
      case "zstd" -> StoredCodec.ZSTD;
      default -> throw unexpected("none, lz4 or zstd", value, where.formatted("codec"));
    };
  }

  private static ProblemException unexpected(String expected, String found, String where) {
    return Problem.of(
            ProblemType.BAD_REQUEST,
            "Expected %s but found \"%s\" at %s"
                .formatted(expected, Excerpt.of(found, Problem.QUOTE_LENGTH), where))
        .asException();
  }
}
