package dev.quiver.dataset.ingest;

import dev.quiver.codec.RequestedCodec;

/// How an upload is to be stored.
public record UploadOptions(BatchSizes batches, RequestedCodec codec) {

  /// Batches of sizes that suit readers, in their original codec.
  public static final UploadOptions DEFAULT =
      new UploadOptions(BatchSizes.OPTIMIZED, RequestedCodec.PRESERVE);

  /// Batches as they arrived.
  public static final UploadOptions KEEP =
      new UploadOptions(BatchSizes.PRESERVED, RequestedCodec.PRESERVE);

  /// The treatment of very large and very small batches.
  public enum BatchSizes {
    /// Large batches are split, and runs of small ones are coalesced.
    OPTIMIZED,
    /// Batches stay as they arrived.
    PRESERVED
  }
}
