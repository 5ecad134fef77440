package dev.quiver.store.blob;

import java.io.IOException;

/// A file in use by requests, each of which closes it.
public final class KeptFile implements AutoCloseable {

  private final KeptFiles files;
  private final SpooledFile file;

  /// The number of requests that use the file. Guarded by the files.
  int uses = 1;

  KeptFile(KeptFiles files, SpooledFile file) {
    this.files = files;
    this.file = file;
  }

  public long byteSize() {
    return file.byteSize();
  }

  /// Writes a range of the file to `sink`.
  public void write(long byteOffset, long length, BlobSink sink) throws IOException {
    file.write(byteOffset, length, sink);
  }

  /// Charges the service in place of the claimant that has the file written.
  void disown() {
    file.disown();
  }

  /// Charges the claimant of this thread in place of the service.
  ///
  /// @throws dev.quiver.arrow.parallel.OverloadedException if its files in use would exceed its
  ///   share
  void own() {
    file.own();
  }

  void delete() {
    try {
      file.close();
    } catch (IOException e) {
      KeptFiles.log(e);
    }
  }

  /// Ends the use by one request.
  @Override
  public void close() {
    files.release(this);
  }
}
