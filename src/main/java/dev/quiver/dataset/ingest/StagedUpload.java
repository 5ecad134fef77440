package dev.quiver.dataset.ingest;

import dev.quiver.dataset.catalog.WriteTransaction;
import dev.quiver.dataset.file.WrittenFile;
import dev.quiver.storage.BlobUpload;
import java.io.IOException;

/// An upload in its canonical form, in a blob that is invisible until it is sealed.
///
/// Used by one thread.
public final class StagedUpload implements AutoCloseable {

  private final WrittenFile written;
  private final Warnings warnings;
  private final BlobUpload upload;

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

  /// Returns the blob, which can be read before and after it is sealed.
  public BlobUpload upload() {
    return upload;
  }

  /// Makes the blob durable and visible, once.
  public void seal(WriteTransaction transaction) throws IOException {
    transaction.seal(written.key(), upload);
  }

  @Override
  public void close() throws IOException {
    upload.close();
  }
}
