package dev.quiver.storage;

import dev.quiver.memory.ByteSink;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A blob on its way in: invisible until committed, gone when closed without.
///
/// Used by one thread.
public interface BlobUpload extends ByteSink, AutoCloseable {

  /// Bytes written so far.
  long position();

  /// Appends all of `source`.
  ///
  /// @throws StorageFullException when no space is left
  @Override
  void write(MemorySegment source) throws IOException;

  /// What was written, mapped read-only for as long as `arena` lives, also past this upload.
  ///
  /// @throws IndexOutOfBoundsException when the range was not written yet
  MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException;

  /// Makes the blob durable and then visible, after which nothing can be written any more.
  ///
  /// @return false when the key exists
  boolean commit() throws IOException;

  /// Discards what was written unless it was committed.
  @Override
  void close() throws IOException;
}
