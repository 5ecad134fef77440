package dev.quiver.golden;

import dev.quiver.arrow.array.OddArrays;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.MessageReader;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.transform.BatchCoalescer;
import dev.quiver.arrow.transform.BatchSplitter;
import dev.quiver.arrow.transform.Recompression;
import dev.quiver.arrow.transform.RowRange;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Transformed batches with their expected values.
final class Transformed {

  private Transformed() {}

  /// Returns a batch of odd arrays.
  static RecordBatch batch(
      Schema schema,
      RandomData data,
      long seed,
      List<List<@Nullable Object>> columns,
      Arena arena) {
    int length = columns.isEmpty() ? 5 : columns.getFirst().size();
    return new OddArrays(seed, data, arena).recordBatch(schema, length, columns);
  }

  static List<List<@Nullable Object>> values(Schema schema, RandomData data, int length) {
    List<List<@Nullable Object>> columns = new ArrayList<>();
    schema.fields().forEach(field -> columns.add(data.values(field, length)));
    return columns;
  }

  /// Splits the batch into batches of about `byteSize` bytes.
  static Written split(RecordBatch batch, long byteSize, SegmentAllocator allocator) {
    List<List<@Nullable Object>> values = Decoded.values(batch);
    List<RecordBatch> batches = new ArrayList<>();
    List<List<List<@Nullable Object>>> expected = new ArrayList<>();
    for (RowRange range : BatchSplitter.split(batch, byteSize)) {
      batches.add(range.of(batch, allocator));
      int start = (int) range.offset();
      int end = start + (int) range.length();
      expected.add(
          values.stream().<List<@Nullable Object>>map(all -> all.subList(start, end)).toList());
    }
    return new Written(batch.schema(), batches, new Decoded(batch.schema(), expected));
  }

  /// Coalesces the batches into batches of at most `byteSize` bytes.
  static List<RecordBatch> coalesce(
      List<RecordBatch> batches, long byteSize, SegmentAllocator allocator) {
    List<RecordBatch> coalesced = new ArrayList<>();
    BatchCoalescer<RuntimeException> coalescer =
        new BatchCoalescer<>(
            byteSize, Long.MAX_VALUE, run -> coalesced.add(run.concatenated(allocator)));
    for (RecordBatch batch : batches) {
      coalescer.add(batch, Codec.NONE, 0);
    }
    coalescer.flush();
    return coalesced;
  }

  /// Recompresses the bodies of the stream with another codec.
  static MemorySegment recompress(MemorySegment stream, Codec codec) throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    MessageReader reader = new MessageReader(ByteSource.of(stream), Limits.DEFAULT);
    MessageWriter writer = new MessageWriter(sink);
    EncapsulatedMessage schema = reader.readSchema();
    try (Arena arena = Arena.ofConfined();
        Recompression recompression =
            new Recompression(MessageReader.schemaOf(schema), codec, Limits.DEFAULT)) {
      recompression.begin(schema, MemorySegment.NULL, arena).write(writer);
      for (EncapsulatedMessage message = reader.next(); message != null; message = reader.next()) {
        MemorySegment body = arena.allocate(message.message().bodyLength(), 64);
        reader.readBodyPart(body);
        recompression.begin(message, body, arena).write(writer);
      }
    }
    writer.writeEndOfStream();
    return sink.written();
  }
}
