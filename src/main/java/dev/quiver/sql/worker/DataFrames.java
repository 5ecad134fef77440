package dev.quiver.sql.worker;

import dev.quiver.arrow.memory.ByteSink;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A sink that sends bytes in frames of one size; the last one is smaller.
final class DataFrames implements ByteSink, AutoCloseable {

  private final FrameChannel channel;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment buffer = arena.allocate(WorkerFrame.DATA_BYTE_SIZE_MAXIMUM);
  private long position;

  DataFrames(FrameChannel channel) {
    this.channel = channel;
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    long written = 0;
    while (written < source.byteSize()) {
      long count = Math.min(source.byteSize() - written, buffer.byteSize() - position);
      MemorySegment.copy(source, written, buffer, position, count);
      position += count;
      written += count;
      if (position == buffer.byteSize()) {
        flush();
      }
    }
  }

  /// Sends the bytes that wait for a full frame.
  void flush() throws IOException {
    if (position > 0) {
      channel.write(FrameType.DATA, buffer.asSlice(0, position));
      position = 0;
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
