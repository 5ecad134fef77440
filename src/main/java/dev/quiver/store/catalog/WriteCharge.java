package dev.quiver.store.catalog;

import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.version.Manifest;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/// The bytes that one write adds to the bytes of its writer. They count from before they are
/// written until the write ends, and then as stored if it was committed.
///
/// A write puts one data blob at a time. A blob before it, such as a file that was received and is
/// rewritten, will not be part of the version and no longer counts.
public final class WriteCharge implements AutoCloseable {

  private final StoredBytes storedBytes;
  private final Writer writer;
  private long taken;

  WriteCharge(StoredBytes storedBytes, Writer writer) {
    this.storedBytes = storedBytes;
    this.writer = writer;
  }

  /// Returns the id of the writer.
  public String writer() {
    return writer.id();
  }

  /// Returns the upload of a data blob, whose bytes count in place of those before.
  public BlobUpload charged(BlobUpload upload) {
    if (!writer.isLimited()) {
      return upload;
    }
    close();
    return new ChargedUpload(upload);
  }

  /// Counts bytes that are about to be written.
  ///
  /// @throws WriterFullException if the writer has too many
  public synchronized void take(long byteSize) throws IOException {
    if (writer.isLimited()) {
      storedBytes.take(writer, byteSize);
      taken += byteSize;
    }
  }

  /// Counts the blobs of a committed version as stored, in place of the bytes that were taken.
  ///
  /// @param byteSizes the sizes of the blobs that the write has put, by their keys
  public synchronized void commit(Manifest manifest, Map<String, Long> byteSizes) {
    long replaced = taken;
    taken = 0;
    storedBytes.committed(writer, replaced, manifest, byteSizes);
  }

  /// Gives back the bytes that were taken.
  @Override
  public synchronized void close() {
    storedBytes.giveBack(writer, taken);
    taken = 0;
  }

  /// An upload whose bytes count before they are written.
  private final class ChargedUpload implements BlobUpload {

    private final BlobUpload upload;

    private ChargedUpload(BlobUpload upload) {
      this.upload = upload;
    }

    @Override
    public long position() {
      return upload.position();
    }

    @Override
    public void write(MemorySegment source) throws IOException {
      take(source.byteSize());
      upload.write(source);
    }

    @Override
    public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
      return upload.map(byteOffset, byteSize, arena);
    }

    @Override
    public boolean commit() throws IOException {
      return upload.commit();
    }

    @Override
    public void close() throws IOException {
      upload.close();
    }
  }
}
