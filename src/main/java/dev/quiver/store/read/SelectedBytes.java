package dev.quiver.store.read;

import dev.quiver.arrow.ipc.TruncationPoints;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.version.ByteRange;
import java.io.IOException;

/// A selection as a file or as a stream: its length, its truncation points and its bytes. All
/// offsets count from its first byte.
///
/// Used by one thread at a time, while the snapshot is open.
public final class SelectedBytes {

  private final SelectedFile file;
  private final SelectedFileLayout layout;
  private final ByteRange range;

  /// @param range of these bytes, in the file of the selection
  SelectedBytes(SelectedFile file, SelectedFileLayout layout, ByteRange range) {
    this.file = file;
    this.layout = layout;
    this.range = range;
  }

  public long byteSize() {
    return range.byteSize();
  }

  /// Returns the positions at which these bytes may be truncated.
  public TruncationPoints truncationPoints() {
    return TruncationPoints.within(
        layout.dictionaries(), layout.recordBatches(), range.byteOffset());
  }

  /// Writes a range to `sink`, stored buffers as ranges of their blobs.
  ///
  /// @throws IndexOutOfBoundsException if the range is not within these bytes
  public void write(long byteOffset, long byteSize, BlobSink sink) throws IOException {
    file.write(layout, range.slice(byteOffset, byteSize), sink);
  }
}
