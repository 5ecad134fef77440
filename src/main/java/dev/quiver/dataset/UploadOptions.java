package dev.quiver.dataset;

/// How an upload wants to be stored.
public record UploadOptions(BatchSizes batches, StoredCodec codec) {

  /// Batches of sizes that suit readers, in the codec that they came in.
  public static final UploadOptions DEFAULT =
      new UploadOptions(BatchSizes.FITTED, StoredCodec.AS_IT_CAME);

  /// Batches as they came.
  public static final UploadOptions KEEP =
      new UploadOptions(BatchSizes.KEPT, StoredCodec.AS_IT_CAME);

  /// What becomes of batches that are very large or very small.
  public enum BatchSizes {
    /// Large ones are cut, and runs of small ones joined.
    FITTED,
    /// They stay as they came.
    KEPT
  }
}
