package dev.quiver.server.transfer;

import dev.quiver.arrow.ipc.TruncationPoints;
import dev.quiver.server.http.HttpRange;
import dev.quiver.store.blob.BlobSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A body of known length. Any range of it can be sent.
///
/// @param truncationPoints the truncation points of the whole body, for one response
public record FixedLengthBody(List<BodyPart> parts, TruncationPoints truncationPoints)
    implements Body {

  /// The size up to which a body is small.
  static final long SMALL_BYTES = 64 << 10;

  public FixedLengthBody {
    parts = List.copyOf(parts);
  }

  /// Returns a body that may be truncated anywhere.
  public static FixedLengthBody of(BodyPart... parts) {
    return new FixedLengthBody(List.of(parts), TruncationPoints.anywhere());
  }

  @Override
  public boolean isSmall() {
    return byteSize() <= SMALL_BYTES;
  }

  public long byteSize() {
    long byteSize = 0;
    for (BodyPart part : parts) {
      byteSize = Math.addExact(byteSize, part.byteSize());
    }
    return byteSize;
  }

  void writeTo(BlobSink sink) throws IOException {
    for (BodyPart part : parts) {
      part.writeTo(sink);
    }
  }

  /// Returns a range of this body. It may be truncated anywhere, since a client that asks for a
  /// range checks its length.
  FixedLengthBody slice(HttpRange range) {
    List<BodyPart> slices = new ArrayList<>();
    long start = 0;
    for (BodyPart part : parts) {
      long from = Math.max(range.first() - start, 0);
      long to = Math.min(range.last() + 1 - start, part.byteSize());
      if (from < to) {
        slices.add(part.slice(from, to - from));
      }
      start += part.byteSize();
    }
    return new FixedLengthBody(slices, TruncationPoints.anywhere());
  }
}
