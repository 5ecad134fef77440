package dev.quiver.web;

import dev.quiver.columnar.ArrayBuilder;
import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.ipc.EncodedBody;
import dev.quiver.ipc.MessageWriter;
import dev.quiver.ipc.StreamReader;
import dev.quiver.ipc.StreamWriter;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.Limits;
import dev.quiver.memory.LittleEndian;
import dev.quiver.metadata.CompressionType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Small streams to upload, and the rows of those that come back.
final class Streams {

  private static final Schema SCHEMA =
      Schema.of(Field.of("number", false, new ArrowType.Int(32, true)));

  private Streams() {}

  /// A stream of one column, with the numbers from `first` on in batches of these sizes.
  static byte[] numbers(int first, int... batchRows) throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    StreamWriter writer =
        new StreamWriter(segment -> stream.write(segment.toArray(LittleEndian.INT8)), SCHEMA, null);
    try (Arena arena = Arena.ofConfined()) {
      ArrayBuilder builder = new ArrayBuilder(arena);
      int next = first;
      for (int rows : batchRows) {
        List<@Nullable Object> values = new ArrayList<>();
        IntStream.range(next, next + rows).forEach(values::add);
        writer.write(builder.recordBatch(SCHEMA, rows, List.of(values)));
        next += rows;
      }
    }
    writer.close();
    return stream.toByteArray();
  }

  /// The numbers from 0 on, in a batch of so many rows for each of the codecs.
  static byte[] inCodecs(int batchRows, @Nullable CompressionType... codecs) throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    MessageWriter writer =
        new MessageWriter(segment -> stream.write(segment.toArray(LittleEndian.INT8)));
    writer.writeSchema(SCHEMA);
    for (int i = 0; i < codecs.length; i++) {
      try (Arena arena = Arena.ofConfined()) {
        List<@Nullable Object> values = new ArrayList<>();
        IntStream.range(i * batchRows, (i + 1) * batchRows).forEach(values::add);
        RecordBatch batch = new ArrayBuilder(arena).recordBatch(SCHEMA, batchRows, List.of(values));
        writer.writeRecordBatch(
            EncodedBody.of(batchRows, batch.columns(), codecs[i], arena), Metadata.EMPTY);
      }
    }
    writer.writeEndOfStream();
    return stream.toByteArray();
  }

  /// A stream of one date in milliseconds, or of one text of these bytes.
  static byte[] slot(ArrowType type, byte[] bytes) throws IOException {
    Schema schema = Schema.of(Field.of("slot", true, type));
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    StreamWriter writer =
        new StreamWriter(segment -> stream.write(segment.toArray(LittleEndian.INT8)), schema, null);
    List<MemorySegment> buffers = new ArrayList<>(List.of(MemorySegment.NULL));
    if (type instanceof ArrowType.Utf8) {
      buffers.add(MemorySegment.ofArray(new byte[] {0, 0, 0, 0, (byte) bytes.length, 0, 0, 0}));
    }
    buffers.add(MemorySegment.ofArray(bytes));
    ArrayData slot = new ArrayData(schema.fields().getFirst(), 1, 0, buffers, List.of(), null);
    writer.write(new RecordBatch(schema, 1, List.of(slot)));
    writer.close();
    return stream.toByteArray();
  }

  /// The rows of each batch of a stream that has to end with an end-of-stream marker.
  static List<Long> rowsOfBatches(byte[] stream) throws IOException {
    List<Long> rows = new ArrayList<>();
    try (StreamReader reader =
        new StreamReader(ByteSource.of(MemorySegment.ofArray(stream)), Limits.DEFAULT)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        rows.add(batch.length());
      }
    }
    return rows;
  }
}
