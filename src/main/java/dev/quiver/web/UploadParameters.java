package dev.quiver.web;

import dev.quiver.dataset.StoredCodec;
import dev.quiver.dataset.UploadOptions;
import dev.quiver.dataset.UploadOptions.BatchSizes;
import jakarta.servlet.http.HttpServletRequest;

/// What the query of an upload says of how to store it.
final class UploadParameters {

  private UploadParameters() {}

  /// @throws ProblemException 400 for values that there are not
  static UploadOptions of(HttpServletRequest request) {
    String batches = request.getParameter("batches");
    String codec = request.getParameter("codec");
    return new UploadOptions(
        batches == null ? BatchSizes.FITTED : batchSizes(batches),
        codec == null ? StoredCodec.AS_IT_CAME : codec(codec));
  }

  private static BatchSizes batchSizes(String value) {
    if (value.equals("keep")) {
      return BatchSizes.KEPT;
    }
    throw unexpected("keep", value, "batches");
  }

  private static StoredCodec codec(String value) {
    return switch (value) {
      case "none" -> StoredCodec.NONE;
      case "lz4" -> StoredCodec.LZ4;
      case "zstd" -> StoredCodec.ZSTD;
      default -> throw unexpected("none, lz4 or zstd", value, "codec");
    };
  }

  private static ProblemException unexpected(String expected, String found, String parameter) {
    return Problem.of(
            ProblemType.BAD_REQUEST,
            "Expected %s but found \"%s\" at parameter %s".formatted(expected, found, parameter))
        .asException();
  }
}
