package dev.quiver.arrow.statistics;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A receiver of the values of a column, whose order does not matter.
interface ValueSink {

  /// The number of bytes after a value that may be read with it.
  int PADDING_BYTE_SIZE = Long.BYTES;

  void addNulls(long count);

  /// Adds one of each of some keys.
  ///
  /// @param n the number of keys
  /// @param words a bit for each key that counts, or null if all do
  void addKeys(long[] keys, int n, long @Nullable [] words);

  /// @param count how often the key occurs, at least once
  void addKey(long key, long count);

  /// @param bytes an array with [#PADDING_BYTE_SIZE] bytes after the value
  /// @param count how often the value occurs, at least once
  void addBytes(byte[] bytes, int start, int length, long count);

  /// Adds a long value.
  ///
  /// @param count how often the value occurs, at least once
  void addSegment(MemorySegment bytes, long count);
}
