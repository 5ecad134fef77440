package dev.quiver.store.blob;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// An open blob that any number of threads may read.
public interface Blob extends AutoCloseable {

  long byteSize();

  /// Reads from `byteOffset` until `destination` is full or the blob ends.
  ///
  /// @return the number of bytes read
  long read(long byteOffset, MemorySegment destination) throws IOException;

  /// Reads from `byteOffset` until `destination` is full.
  ///
  /// @throws IOException also if the blob ends too early
  default void readFully(long byteOffset, MemorySegment destination) throws IOException {
    long count = read(byteOffset, destination);
    if (count < destination.byteSize()) {
      throw new IOException(
          "Expected %d bytes but found %d at byte offset %d of a blob"
              .formatted(destination.byteSize(), count, byteOffset));
    }
  }

  /// Transfers a range to `target` inside the operating system, without copying bytes into this
  /// process. Either the whole range is transferable or nothing is transferred.
  ///
  /// @return the number of bytes transferred from the start of the range; 0 if a non-blocking
  ///   target accepts none; -1 if the bytes must be read instead
  /// @throws IOException if the target or the blob fails
  default long transferTo(long byteOffset, long byteSize, WritableByteChannel target)
      throws IOException {
    return -1;
  }

  /// Discards what is kept of this blob locally, so that the next read fetches it from the store
  /// itself.
  ///
  /// @return false if reads come from the store itself anyway
  default boolean refetch() throws IOException {
    return false;
  }

  /// Returns which parts of the local copy of a remote blob have been compared with their checksums
  /// since it was fetched, or null if the store's own bytes are read.
  default @Nullable ComparedParts comparedParts() {
    return null;
  }

  /// Maps a range read-only for the lifetime of `arena`, even after this blob is closed.
  ///
  /// @throws IndexOutOfBoundsException if the blob does not contain the range
  MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException;

  /// Returns the file of the blob, or null if the store has no files or the blob was deleted.
  @Nullable Path localPath();

  /// Returns a local file that has a range of this blob at the same offset. Fetches the range if
  /// the blob is remote.
  ///
  /// @return the file, or null if it cannot be kept locally
  default @Nullable Path localPath(long byteOffset, long byteSize) throws IOException {
    return localPath();
  }

  @Override
  void close() throws IOException;
}
