package dev.quiver.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A blob that is open for reading by any number of threads.
public interface Blob extends AutoCloseable {

  long byteSize();

  /// Reads from `byteOffset` until `destination` is full or the blob ends.
  ///
  /// @return how many bytes were read
  long read(long byteOffset, MemorySegment destination) throws IOException;

  /// A range, mapped read-only for as long as `arena` lives, also past this blob.
  ///
  /// @throws IndexOutOfBoundsException when the blob does not have the range
  MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException;

  /// The file that holds the blob, when the store has files. A deleted blob has none any more.
  @Nullable Path localPath();

  @Override
  void close() throws IOException;
}
