package dev.quiver.server.transfer;

import dev.quiver.arrow.ipc.TruncationPoints;
import dev.quiver.store.blob.BlobSink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A body that is generated while it is sent. Its length is not known in advance, so it has no
/// ranges.
@FunctionalInterface
public non-sealed interface StreamingBody extends Body {

  void writeTo(BlobSink sink) throws IOException;

  @Override
  default boolean isSmall() {
    return false;
  }

  /// Returns where the bytes written so far may be truncated.
  default TruncationPoints truncationPoints() {
    return TruncationPoints.anywhere();
  }

  /// Returns the bytes to append after [#writeTo] has failed, so that no reader takes the body for
  /// complete. They are empty if every reader notices the failure anyway.
  ///
  /// @param position the number of bytes written before the failure
  default MemorySegment afterFailure(long position) throws IOException {
    return MemorySegment.NULL;
  }
}
