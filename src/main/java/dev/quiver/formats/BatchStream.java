package dev.quiver.formats;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.type.Schema;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The rows of a reader as an IPC stream, which is read once. Its bodies need not be read, since
/// the batches are in memory. Used by one thread.
public final class BatchStream implements ByteSource, Closeable {

  private final FileBatchReader reader;
  private final boolean valid;
  private final LongConsumer check;
  private final Closeable end;
  private final StreamWriter stream;

  /// The parts of the stream that are still to be read. Without a codec, they are the buffers of a
  /// batch themselves.
  private final Deque<MemorySegment> parts = new ArrayDeque<>();

  private long byteSize;
  private @Nullable RecordBatch batch;
  private boolean ended;

  /// @param schema of the rows that the reader returns
  /// @param valid whether every batch is valid at the highest level, whatever the file holds
  /// @param check throws an exception if the stream must not have that many bytes
  /// @param end closed once all rows are read, or by [#close]
  public BatchStream(
      Schema schema, FileBatchReader reader, boolean valid, LongConsumer check, Closeable end)
      throws IOException {
    this.reader = reader;
    this.valid = valid;
    this.check = check;
    this.end = end;
    this.stream = new StreamWriter(this::add, schema, Codec.NONE);
  }

  /// Checks the bytes of rows that a file has.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if there are too many
  public static void requireRatio(long byteSize, long fileByteSize, Limits limits) {
    limits
        .decompressionRatio()
        .checkRatio(
            byteSize, fileByteSize, "bytes of rows per byte of the file", InputLocation.UNKNOWN);
  }

  /// Returns whether the batches need no validation.
  public boolean isValid() {
    return valid;
  }

  /// Returns the batch whose messages are read. The next one reuses its memory.
  public RecordBatch batch() {
    return Objects.requireNonNull(batch);
  }

  /// Returns the next batch in place of its messages, or null at the end. Its memory is reused for
  /// later ones.
  public @Nullable RecordBatch next() throws IOException {
    if (!ended) {
      writeBatch();
    }
    parts.clear();
    return ended ? null : batch;
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    MemorySegment part = next(destination.byteSize());
    if (part == null) {
      return -1;
    }
    MemorySegment.copy(part, 0, destination, 0, part.byteSize());
    return part.byteSize();
  }

  @Override
  public long skip(long maximum) throws IOException {
    MemorySegment part = next(maximum);
    return part == null ? -1 : part.byteSize();
  }

  @Override
  public void close() throws IOException {
    if (!ended) {
      ended = true;
      parts.clear();
      end.close();
    }
  }

  /// Returns the next bytes, at most `maximum`, or null at the end.
  private @Nullable MemorySegment next(long maximum) throws IOException {
    while (parts.isEmpty()) {
      if (ended) {
        return null;
      }
      writeBatch();
    }
    MemorySegment part = parts.remove();
    if (part.byteSize() <= maximum) {
      return part;
    }
    parts.addFirst(part.asSlice(maximum));
    return part.asSlice(0, maximum);
  }

  private void writeBatch() throws IOException {
    batch = reader.next();
    if (batch == null) {
      close();
      stream.close();
    } else {
      stream.write(batch);
      check.accept(byteSize);
    }
  }

  private void add(MemorySegment part) {
    if (part.byteSize() > 0) {
      parts.add(part);
      byteSize += part.byteSize();
    }
  }
}
