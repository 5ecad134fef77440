package dev.quiver.web;

import dev.quiver.storage.BlobSink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A body that is made while it is sent: its length is not known before, so that it has no ranges.
@FunctionalInterface
non-sealed interface StreamedBody extends Body {

  void writeTo(BlobSink sink) throws IOException;

  @Override
  default boolean isSmall() {
    return false;
  }

  /// Where what was written so far may be cut.
  default SafeCuts cuts() {
    return SafeCuts.anywhere();
  }

  /// What is sent when [#writeTo] has failed, after what it wrote, so that nobody takes that for
  /// all; of no bytes when nobody would.
  ///
  /// @param position bytes written
  default MemorySegment afterFailure(long position) throws IOException {
    return MemorySegment.NULL;
  }
}
