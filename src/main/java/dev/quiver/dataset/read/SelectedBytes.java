package dev.quiver.dataset.read;

import dev.quiver.ipc.TruncationPoints;
import dev.quiver.storage.BlobSink;
import java.io.IOException;
import java.util.Objects;

/// A selection as a file or as a stream: its length, its truncation points and its bytes. All
/// offsets count from its first byte.
///
/// Used by one thread at a time, while the snapshot is open.
public final class SelectedBytes {

  private final SelectedFile file;
  private final SelectedFileLayout layout;
  private final long start;
  private final long byteSize;

  /// @param start the position of the first byte in the file of the selection
  SelectedBytes(SelectedFile file, SelectedFileLayout layout, long start, long byteSize) {
    this.file = file;
    this.layout = layout;
    this.start = start;
    this.byteSize = byteSize;
  }

  public long byteSize() {
    return byteSize;
  }

  /// Returns the positions at which these bytes may be truncated.
  public TruncationPoints truncationPoints() {
    return TruncationPoints.within(layout.dictionaries(), layout.recordBatches(), start);
  }

  /// Writes a range to `sink`, stored buffers as ranges of their blobs.
  ///
  /// @throws IndexOutOfBoundsException if the range is not within these bytes
  public void write(long byteOffset, long byteSize, BlobSink sink) throws IOException {
    Objects.checkFromIndexSize(byteOffset, byteSize, this.byteSize);
    file.write(layout, start + byteOffset, byteSize, sink);
  }
}
