package dev.quiver.arrow;

import dev.quiver.arrow.Arrow.Compression;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.type.Endianness;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// A writer of record batches as a stream or file, in metadata version V5 and little-endian. Used
/// by one thread.
///
/// [#finish] ends the data. After [#close] alone, as when an exception interrupts the writing, a
/// reader finds the data incomplete.
public final class ArrowWriter implements AutoCloseable {

  private static final int BUFFER_BYTE_SIZE = 64 << 10;

  private final OutputStream output;
  private final Schema schema;
  private final Batches batches;
  private final End end;

  private interface Batches {
    void write(RecordBatch batch) throws IOException;
  }

  private interface End {
    void write() throws IOException;
  }

  private ArrowWriter(OutputStream output, Schema schema, Batches batches, End end) {
    this.output = output;
    this.schema = schema;
    this.batches = batches;
    this.end = end;
  }

  static ArrowWriter ofStream(OutputStream output, Schema schema, Compression compression)
      throws IOException {
    OutputStream buffered = new BufferedOutputStream(output, BUFFER_BYTE_SIZE);
    Schema written = schema.withEndianness(Endianness.LITTLE);
    StreamWriter stream = new StreamWriter(sink(buffered), written, codec(compression));
    return new ArrowWriter(buffered, written, stream::write, stream::close);
  }

  static ArrowWriter ofFile(OutputStream output, Schema schema, Compression compression)
      throws IOException {
    OutputStream buffered = new BufferedOutputStream(output, BUFFER_BYTE_SIZE);
    Schema written = schema.withEndianness(Endianness.LITTLE);
    FileWriter file = new FileWriter(sink(buffered), written, codec(compression));
    return new ArrowWriter(buffered, written, file::write, () -> file.close(Metadata.EMPTY));
  }

  private static Codec codec(Compression compression) {
    return Codec.valueOf(compression.name());
  }

  private static ByteSink sink(OutputStream output) {
    byte[] buffer = new byte[BUFFER_BYTE_SIZE];
    return source -> {
      for (long done = 0; done < source.byteSize(); done += buffer.length) {
        int count = (int) Math.min(buffer.length, source.byteSize() - done);
        MemorySegment.copy(source, ValueLayout.JAVA_BYTE, done, buffer, 0, count);
        output.write(buffer, 0, count);
      }
    };
  }

  /// Writes a batch of valid arrays, and before it the dictionaries that it needs.
  ///
  /// @throws IllegalArgumentException if the batch has other fields than the schema, or refers to
  ///   other dictionaries than the first batch of a file
  public void write(RecordBatch batch) throws IOException {
    if (!batch.schema().fields().equals(schema.fields())) {
      throw new IllegalArgumentException(
          "Expected a batch of " + schema.fields() + " but found " + batch.schema().fields());
    }
    batches.write(batch);
  }

  /// Writes the end of the stream or the footer of the file. Only then is the data complete.
  public void finish() throws IOException {
    end.write();
    output.flush();
  }

  /// Closes the output, finished or not.
  @Override
  public void close() throws IOException {
    output.close();
  }
}
