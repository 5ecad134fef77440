package dev.quiver.web.representation;

import dev.quiver.dataset.read.SelectedVersion;
import dev.quiver.dataset.version.ByteRange;
import dev.quiver.storage.BlobSink;
import dev.quiver.web.response.BodyPart;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// Bytes of the IPC file that a selection makes. Where they lie is found out when their number is
/// asked for, after the conditions of a request were looked at.
final class SelectedPart implements BodyPart {

  /// What tells the range.
  interface Range {
    ByteRange get() throws IOException;
  }

  private final SelectedVersion selected;
  private final Range range;
  private @Nullable ByteRange known;

  SelectedPart(SelectedVersion selected, Range range) {
    this.selected = selected;
    this.range = range;
  }

  @Override
  public boolean isSelected() {
    return true;
  }

  @Override
  public long byteSize() {
    return known().byteSize();
  }

  @Override
  public BodyPart slice(long byteOffset, long byteSize) {
    ByteRange slice = new ByteRange(known().byteOffset() + byteOffset, byteSize);
    return new SelectedPart(selected, () -> slice);
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    selected.write(known().byteOffset(), known().byteSize(), sink);
  }

  private ByteRange known() {
    ByteRange present = known;
    if (present == null) {
      try {
        present = range.get();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      known = present;
    }
    return present;
  }
}
