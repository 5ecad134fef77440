package dev.quiver.sql.query;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.FileBatchReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// The rows of a reader as an IPC stream, which is read once. Used by one thread.
final class BatchRows implements ByteSource {

  private final FileBatchReader reader;
  private final StreamWriter stream;

  /// The parts of the stream that are still to be read. Without a codec, they are the buffers of a
  /// batch themselves.
  private final Deque<MemorySegment> parts = new ArrayDeque<>();

  private boolean ended;

  /// @param schema of the rows that the reader returns
  BatchRows(Schema schema, FileBatchReader reader) throws IOException {
    this.reader = reader;
    this.stream = new StreamWriter(parts::add, schema, Codec.NONE);
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    while (parts.isEmpty()) {
      if (ended) {
        return -1;
      }
      write(reader.next());
    }
    MemorySegment part = parts.remove();
    long count = Math.min(part.byteSize(), destination.byteSize());
    MemorySegment.copy(part, 0, destination, 0, count);
    if (count < part.byteSize()) {
      parts.addFirst(part.asSlice(count));
    }
    return count;
  }

  private void write(@Nullable RecordBatch batch) throws IOException {
    if (batch == null) {
      stream.close();
      ended = true;
    } else {
      stream.write(batch);
    }
    parts.removeIf(part -> part.byteSize() == 0);
  }
}
