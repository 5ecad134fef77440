package dev.quiver.dataset.ingest;

import dev.quiver.dataset.file.UncommittedBlobs;
import dev.quiver.dataset.file.WrittenFile;
import dev.quiver.storage.BlobUpload;
import java.io.IOException;

/// A body that was taken in, in a blob that nobody sees before it is committed.
///
/// Used by one thread.
public final class StagedUpload implements AutoCloseable {

  private final WrittenFile written;
  private final Warnings warnings;
  private final BlobUpload upload;
  private boolean committed;

  StagedUpload(WrittenFile written, Warnings warnings, BlobUpload upload) {
    this.written = written;
    this.warnings = warnings;
    this.upload = upload;
  }

  public WrittenFile written() {
    return written;
  }

  public Warnings warnings() {
    return warnings;
  }

  /// What was written, also after it was committed.
  public BlobUpload upload() {
    return upload;
  }

  /// Makes the blob durable and visible, once.
  ///
  /// @param blobs of the write
  public void commit(UncommittedBlobs blobs) throws IOException {
    if (!committed) {
      blobs.commit(written.key(), upload);
      committed = true;
    }
  }

  @Override
  public void close() throws IOException {
    upload.close();
  }
}
