package dev.quiver.web.representation;

import dev.quiver.dataset.read.Snapshot;
import dev.quiver.dataset.version.ByteRange;
import dev.quiver.storage.BlobSink;
import dev.quiver.web.response.BodyPart;
import java.io.IOException;

/// Bytes of the IPC file of a version.
record StoredPart(Snapshot snapshot, ByteRange range) implements BodyPart {

  @Override
  public long byteSize() {
    return range.byteSize();
  }

  @Override
  public BodyPart slice(long byteOffset, long byteSize) {
    return new StoredPart(snapshot, new ByteRange(range.byteOffset() + byteOffset, byteSize));
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    snapshot.write(range.byteOffset(), range.byteSize(), sink);
  }
}
