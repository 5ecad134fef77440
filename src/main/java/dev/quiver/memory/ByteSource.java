package dev.quiver.memory;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Where bytes come from, in order and once.
@FunctionalInterface
public interface ByteSource {

  /// Reads at least one byte into `destination`, from its start, and at most as many as it holds.
  ///
  /// @return how many bytes were read, or -1 at the end; 0 only for an empty destination
  long read(MemorySegment destination) throws IOException;

  /// Reads until `destination` is full or the source ends.
  ///
  /// @return how many bytes were read, less than the destination holds only at the end
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

  /// The bytes of `segment`, from its start to its end.
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
