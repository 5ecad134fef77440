package dev.quiver.storage;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A blob that is open for reading by any number of threads.
public interface Blob extends AutoCloseable {

  long byteSize();

  /// Reads from `byteOffset` until `destination` is full or the blob ends.
  ///
  /// @return how many bytes were read
  long read(long byteOffset, MemorySegment destination) throws IOException;

  /// Reads from `byteOffset` until `destination` is full.
  ///
  /// @throws IOException also when the blob ends before
  default void readFully(long byteOffset, MemorySegment destination) throws IOException {
    long count = read(byteOffset, destination);
    if (count < destination.byteSize()) {
      throw new IOException(
          "Expected %d bytes but found %d at byte offset %d of a blob"
              .formatted(destination.byteSize(), count, byteOffset));
    }
  }

  /// Moves bytes from a range to `target` by the operating system, which copies none of them into
  /// this process. Nothing is moved unless all of the range can be.
  ///
  /// @return how many bytes were moved, from the start of the range; 0 when a target that does not
  ///   block takes none; -1 when they have to be read
  /// @throws IOException when the target fails, or the blob
  default long transferTo(long byteOffset, long byteSize, WritableByteChannel target)
      throws IOException {
    return -1;
  }

  /// A range, mapped read-only for as long as `arena` lives, also past this blob.
  ///
  /// @throws IndexOutOfBoundsException when the blob does not have the range
  MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException;

  /// The file that holds the blob, when the store has files. A deleted blob has none any more.
  @Nullable Path localPath();

  @Override
  void close() throws IOException;
}
