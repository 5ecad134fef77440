package dev.quiver.storage;

import java.io.IOException;

/// A blob on its way in: invisible until committed, gone when closed without.
///
/// What was written can be mapped until it is closed, also once it is committed.
public interface BlobUpload extends Spool {

  /// Makes the blob durable and then visible, after which nothing can be written any more.
  ///
  /// @return false when the key exists
  boolean commit() throws IOException;

  /// Discards what was written unless it was committed.
  @Override
  void close() throws IOException;
}
