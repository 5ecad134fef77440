package dev.quiver.arrow.memory;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// A source of bytes, in order and once.
@FunctionalInterface
public interface ByteSource {

  /// Reads at least one byte into `destination`, from its start, and at most as many as it holds.
  ///
  /// @return the number of bytes read, or -1 at the end; 0 only for an empty destination
  long read(MemorySegment destination) throws IOException;

  /// Reads until `destination` is full or the source ends.
  ///
  /// @return the number of bytes read; fewer than the destination holds only at the end
  default long readFully(MemorySegment destination) throws IOException {
    long filled = 0;
    while (filled < destination.byteSize()) {
      long count = read(destination.asSlice(filled));
      if (count < 0) {
        break;
      }
      filled += count;
    }
    return filled;
  }

  /// Passes over at least one byte and at most `maximum`.
  ///
  /// @return as of [#read]
  default long skip(long maximum) throws IOException {
    return read(MemorySegment.ofArray(new byte[(int) Math.min(maximum, 64 << 10)]));
  }

  /// Returns the next bytes without a copy, if they are in memory and may be shared.
  ///
  /// @return the bytes, or null if they have to be read
  default @Nullable MemorySegment take(long byteSize) {
    return null;
  }

  /// Returns a source of the bytes of `segment`, which may be shared.
  static ByteSource at(MemorySegment segment) {
    ByteSource copied = of(segment);
    return new ByteSource() {
      @Override
      public long read(MemorySegment destination) throws IOException {
        return copied.read(destination);
      }

      @Override
      public @Nullable MemorySegment take(long byteSize) {
        return byteSize == segment.byteSize() ? segment : null;
      }
    };
  }

  /// Returns a source of bytes read ahead, followed by the rest.
  static ByteSource joined(MemorySegment start, ByteSource rest) {
    ByteSource first = of(start);
    return destination -> {
      long count = first.read(destination);
      return count >= 0 ? count : rest.read(destination);
    };
  }

  /// Returns a source of the bytes of `segment`, from its start to its end, which are copied.
  static ByteSource of(MemorySegment segment) {
    return new ByteSource() {
      private long position;

      @Override
      public long read(MemorySegment destination) {
        long count = Math.min(destination.byteSize(), segment.byteSize() - position);
        if (count == 0 && destination.byteSize() != 0) {
          return -1;
        }
        MemorySegment.copy(segment, position, destination, 0, count);
        position += count;
        return count;
      }
    };
  }
}
