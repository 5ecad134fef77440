package dev.quiver.web.response;

import dev.quiver.storage.BlobSink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A body that is made while it is sent: its length is not known before, so that it has no ranges.
@FunctionalInterface
public non-sealed interface StreamingBody extends Body {

  void writeTo(BlobSink sink) throws IOException;

  @Override
  default boolean isSmall() {
    return false;
  }

  /// Where what was written so far may be cut.
  default TruncationPoints cuts() {
    return TruncationPoints.anywhere();
  }

  /// What is sent when [#writeTo] has failed, after what it wrote, so that nobody takes that for
  /// all; of no bytes when nobody would.
  ///
  /// @param position bytes written
  default MemorySegment afterFailure(long position) throws IOException {
    return MemorySegment.NULL;
  }
}
