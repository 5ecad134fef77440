package dev.quiver.arrow.memory;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A destination of bytes, in order.
@FunctionalInterface
public interface ByteSink {

  /// Writes all of `source`, which may be reused as soon as this returns.
  void write(MemorySegment source) throws IOException;
}
