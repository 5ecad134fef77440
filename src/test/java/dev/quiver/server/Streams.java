package dev.quiver.server;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Small streams to upload, and the row counts of received ones.
public final class Streams {

  private static final Schema SCHEMA =
      Schema.of(Field.of("number", false, new ArrowType.Int(32, true)));

  private Streams() {}

  /// Returns a stream of one column `number` that counts up from `first`, in batches of these
  /// lengths.
  public static byte[] numbers(int first, int... batchRows) throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    StreamWriter writer =
        new StreamWriter(
            segment -> stream.write(segment.toArray(LittleEndian.INT8)), SCHEMA, Codec.NONE);
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

  /// Returns a stream of `count` columns without batches.
  static byte[] columns(int count) throws IOException {
    Field[] fields =
        IntStream.range(0, count)
            .mapToObj(i -> Field.of("column " + i, true, new ArrowType.Int(32, true)))
            .toArray(Field[]::new);
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    new StreamWriter(
            segment -> stream.write(segment.toArray(LittleEndian.INT8)),
            Schema.of(fields),
            Codec.NONE)
        .close();
    return stream.toByteArray();
  }

  /// Returns a stream of `count` columns of zeros, in batches of one row.
  public static byte[] wide(int count, int batches) throws IOException {
    Field[] fields =
        IntStream.range(0, count)
            .mapToObj(i -> Field.of("column " + i, true, new ArrowType.Int(32, true)))
            .toArray(Field[]::new);
    Schema schema = Schema.of(fields);
    List<List<@Nullable Object>> columns = Collections.nCopies(count, List.of(0));
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    StreamWriter writer =
        new StreamWriter(
            segment -> stream.write(segment.toArray(LittleEndian.INT8)), schema, Codec.NONE);
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < batches; i++) {
        writer.write(new ArrayBuilder(arena).recordBatch(schema, 1, columns));
      }
    }
    writer.close();
    return stream.toByteArray();
  }

  /// Returns a stream of the numbers from 0, with a batch of `batchRows` rows for each codec.
  public static byte[] inCodecs(int batchRows, Codec... codecs) throws IOException {
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

  /// Returns a stream with a column `number` that counts up from 0, a dictionary-encoded `color`
  /// and a struct `point` of `x` and `y`, in batches of these lengths.
  public static byte[] table(Codec codec, int... batchRows) throws IOException {
    ArrowType int32 = new ArrowType.Int(32, true);
    Schema schema =
        Schema.of(
            Field.of("number", false, int32),
            Field.of("color", true, new ArrowType.Utf8())
                .withDictionary(new DictionaryEncoding(4, new ArrowType.Int(8, true), false)),
            Field.of(
                "point",
                true,
                new ArrowType.Struct(),
                Field.of("x", true, int32),
                Field.of("y", true, new ArrowType.Utf8())));
    List<String> colors = List.of("red", "green", "blue");
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    StreamWriter writer =
        new StreamWriter(
            segment -> stream.write(segment.toArray(LittleEndian.INT8)), schema, codec);
    try (Arena arena = Arena.ofConfined()) {
      ArrayBuilder builder = new ArrayBuilder(arena, Map.of(4L, colors));
      int next = 0;
      for (int rows : batchRows) {
        List<List<@Nullable Object>> columns =
            List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (int i = next; i < next + rows; i++) {
          columns.get(0).add(i);
          columns.get(1).add(colors.get(i % 3));
          columns.get(2).add(i % 7 == 6 ? null : Arrays.asList(-i, i % 2 == 0 ? "y" + i : null));
        }
        writer.write(builder.recordBatch(schema, rows, columns));
        next += rows;
      }
    }
    writer.close();
    return stream.toByteArray();
  }

  /// Returns a stream of one batch.
  public static byte[] of(Schema schema, List<?>... columns) throws IOException {
    return of(schema, Map.of(), columns);
  }

  /// Returns a stream of one batch.
  ///
  /// @param dictionaries the values of each dictionary by its id
  public static byte[] of(
      Schema schema, Map<Long, ? extends List<?>> dictionaries, List<?>... columns)
      throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    try (Arena arena = Arena.ofConfined()) {
      StreamWriter writer =
          new StreamWriter(
              part -> stream.writeBytes(part.toArray(LittleEndian.INT8)), schema, Codec.NONE);
      writer.write(
          new ArrayBuilder(arena, dictionaries)
              .recordBatch(schema, columns[0].size(), List.of(columns)));
      writer.close();
    }
    return stream.toByteArray();
  }

  /// Returns a stream of one batch with a column of nulls, which take no bytes.
  public static byte[] nulls(String name, long length) throws IOException {
    Schema schema = Schema.of(Field.of(name, true, new ArrowType.Null()));
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    StreamWriter writer =
        new StreamWriter(
            segment -> stream.write(segment.toArray(LittleEndian.INT8)), schema, Codec.NONE);
    ArrayData nulls =
        new ArrayData(schema.fields().getFirst(), length, length, List.of(), List.of(), null);
    writer.write(new RecordBatch(schema, length, List.of(nulls)));
    writer.close();
    return stream.toByteArray();
  }

  /// Returns a stream of these columns without rows.
  public static byte[] empty(Field... columns) throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    new StreamWriter(
            segment -> stream.write(segment.toArray(LittleEndian.INT8)),
            Schema.of(columns),
            Codec.NONE)
        .close();
    return stream.toByteArray();
  }

  /// Returns a stream of a column `color` that has each value of its dictionary once.
  public static byte[] colors(boolean ordered, String... values) throws IOException {
    DictionaryEncoding encoding =
        new DictionaryEncoding(values.length, new ArrowType.Int(8, true), ordered);
    Schema schema =
        Schema.of(Field.of("color", true, new ArrowType.Utf8()).withDictionary(encoding));
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    StreamWriter writer =
        new StreamWriter(
            segment -> stream.write(segment.toArray(LittleEndian.INT8)), schema, Codec.NONE);
    try (Arena arena = Arena.ofConfined()) {
      ArrayBuilder builder = new ArrayBuilder(arena, Map.of(encoding.id(), List.of(values)));
      writer.write(builder.recordBatch(schema, values.length, List.of(List.of(values))));
    }
    writer.close();
    return stream.toByteArray();
  }

  /// Returns a stream of one value with these bytes: a date in milliseconds, or a text.
  public static byte[] slot(ArrowType type, byte[] bytes) throws IOException {
    return slot("slot", type, bytes);
  }

  /// @param name the name of the column
  public static byte[] slot(String name, ArrowType type, byte[] bytes) throws IOException {
    Schema schema = Schema.of(Field.of(name, true, type));
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    StreamWriter writer =
        new StreamWriter(
            segment -> stream.write(segment.toArray(LittleEndian.INT8)), schema, Codec.NONE);
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

  /// Returns the row count of each batch of a stream, which must end with an end-of-stream marker.
  public static List<Long> rowsOfBatches(byte[] stream) throws IOException {
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
