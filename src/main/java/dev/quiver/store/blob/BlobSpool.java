package dev.quiver.store.blob;

import dev.quiver.arrow.memory.ByteSink;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Temporary bytes on the local disk where uploads are staged. They are removed on close or, after
/// a crash, when the store is opened again.
///
/// Not thread-safe.
public interface BlobSpool extends ByteSink, AutoCloseable {

  /// Returns the bytes written so far.
  long position();

  /// Appends all of `source`.
  ///
  /// @throws StorageFullException if no space is left
  @Override
  void write(MemorySegment source) throws IOException;

  /// Maps written bytes read-only for the lifetime of `arena`, even after this spool is closed.
  ///
  /// @throws IndexOutOfBoundsException if the range is not written yet
  MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException;

  @Override
  void close() throws IOException;
}
