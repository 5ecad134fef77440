package dev.quiver.store.write;

import java.io.IOException;

/// An observer of one upload, which ends it by throwing an exception.
public interface UploadObserver {

  /// An observer that does nothing.
  UploadObserver NONE = new UploadObserver() {};

  /// Called for each record batch that was read.
  default void read(long rows) {}

  /// Called before stored batches are rewritten, since the dataset gets columns or wider indices.
  default void beginRewrite() {}

  /// Called once all data is valid and written, before the commit that makes it visible.
  default void beginCommit() throws IOException {}
}
