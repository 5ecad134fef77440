package dev.quiver.golden;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Slices;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Batches to write, and the content that reading must return.
public record Written(Schema schema, List<RecordBatch> batches, Decoded expected) {

  /// Returns up to three batches determined by the seed.
  public static Written random(long seed, int depth, Arena arena) {
    RandomData data = new RandomData(seed);
    Schema schema = data.schema(depth);
    Random random = new Random(seed);
    int[] lengths = random.ints(random.nextInt(4), 0, 20).toArray();
    return of(schema, data, lengths, arena);
  }

  /// Returns batches of these lengths.
  static Written of(Schema schema, RandomData data, int[] lengths, Arena arena) {
    ArrayBuilder builder = new ArrayBuilder(arena, data.dictionaries());
    List<RecordBatch> batches = new ArrayList<>();
    List<List<List<@Nullable Object>>> values = new ArrayList<>();
    for (int length : lengths) {
      List<List<@Nullable Object>> columns = new ArrayList<>();
      for (Field field : schema.fields()) {
        columns.add(data.values(field, length));
      }
      batches.add(builder.recordBatch(schema, length, columns));
      values.add(columns);
    }
    return new Written(schema, batches, new Decoded(schema, values));
  }

  /// Returns a slice of each batch. The first offsets of slices are not always 0.
  Written sliced(long seed, Arena arena) {
    Random random = new Random(seed);
    List<RecordBatch> slices = new ArrayList<>();
    List<List<List<@Nullable Object>>> values = new ArrayList<>();
    for (int i = 0; i < batches.size(); i++) {
      RecordBatch batch = batches.get(i);
      int offset = random.nextInt((int) batch.length() + 1);
      int length = random.nextInt((int) batch.length() - offset + 1);
      List<ArrayData> columns =
          batch.columns().stream()
              .map(column -> Slices.slice(column, offset, length, arena))
              .toList();
      slices.add(new RecordBatch(schema, length, columns, batch.customMetadata()));
      values.add(
          expected.batches().get(i).stream()
              .map(column -> column.subList(offset, offset + length))
              .toList());
    }
    return new Written(schema, slices, new Decoded(schema, values));
  }

  public MemorySegment stream(Codec codec) throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    StreamWriter writer = new StreamWriter(sink, schema, codec);
    for (RecordBatch batch : batches) {
      writer.write(batch);
    }
    writer.close();
    return sink.written();
  }

  public MemorySegment file(Codec codec) throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    FileWriter writer = new FileWriter(sink, schema, codec);
    for (RecordBatch batch : batches) {
      writer.write(batch);
    }
    writer.close(Metadata.EMPTY);
    return sink.written();
  }
}
