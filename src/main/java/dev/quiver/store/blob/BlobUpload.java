package dev.quiver.store.blob;

import java.io.IOException;

/// An unfinished blob, invisible until committed. Closing discards it if uncommitted.
///
/// Written bytes can be mapped until it is closed, even after a commit.
public interface BlobUpload extends BlobSpool {

  /// Makes the blob durable and then visible. No writes may follow.
  ///
  /// @return false if the key exists
  boolean commit() throws IOException;

  /// Discards the written bytes, unless committed.
  @Override
  void close() throws IOException;
}
