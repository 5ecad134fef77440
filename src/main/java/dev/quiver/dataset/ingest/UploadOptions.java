package dev.quiver.dataset.ingest;

import dev.quiver.codec.RequestedCodec;

/// How an upload wants to be stored.
public record UploadOptions(BatchSizes batches, RequestedCodec codec) {

  /// Batches of sizes that suit readers, in the codec that they came in.
  public static final UploadOptions DEFAULT =
      new UploadOptions(BatchSizes.OPTIMIZED, RequestedCodec.PRESERVE);

  /// Batches as they came.
  public static final UploadOptions KEEP =
      new UploadOptions(BatchSizes.PRESERVED, RequestedCodec.PRESERVE);

  /// What becomes of batches that are very large or very small.
  public enum BatchSizes {
    /// Large ones are cut, and runs of small ones joined.
    OPTIMIZED,
    /// They stay as they came.
    PRESERVED
  }
}
