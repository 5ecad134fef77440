package dev.quiver.storage;

import dev.quiver.memory.ByteSink;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Bytes on the local disk, on the one that uploads are staged on: gone when it is closed, and
/// after a crash when the store is opened again.
///
/// Used by one thread.
public interface Spool extends ByteSink, AutoCloseable {

  /// Bytes written so far.
  long position();

  /// Appends all of `source`.
  ///
  /// @throws StorageFullException when no space is left
  @Override
  void write(MemorySegment source) throws IOException;

  /// What was written, mapped read-only for as long as `arena` lives, also past this spool.
  ///
  /// @throws IndexOutOfBoundsException when the range was not written yet
  MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException;

  @Override
  void close() throws IOException;
}
