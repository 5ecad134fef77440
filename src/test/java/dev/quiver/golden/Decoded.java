package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A decoded stream or file: its schema and the values of each column of each batch.
///
/// Dictionary ids are omitted, since writers number freely; the values that slots represent are
/// compared instead.
public record Decoded(Schema schema, List<List<List<@Nullable Object>>> batches) {

  public Decoded {
    schema = mapFields(schema, Decoded::withoutId);
  }

  /// Returns a copy with the metadata of fields sorted by key. Arrow C++ and the writer of the
  /// golden files reorder the metadata of extensions.
  Decoded withSortedMetadata() {
    return new Decoded(
        mapFields(
            schema,
            field ->
                field.withMetadata(
                    new Metadata(
                        field.metadata().entries().stream()
                            .sorted(Comparator.comparing(KeyValue::key))
                            .toList()))),
        batches);
  }

  /// Returns a copy with the standard names of map children, which Arrow C++ writes.
  Decoded withStandardMapNames() {
    Map<String, String> names =
        Map.of("some_entries", "entries", "some_key", "key", "some_value", "value");
    return new Decoded(
        mapFields(
            schema,
            field ->
                new Field(
                    names.getOrDefault(field.name(), field.name()),
                    field.nullable(),
                    field.type(),
                    field.dictionary(),
                    field.children(),
                    field.metadata())),
        batches);
  }

  /// Fails at the first field, column or batch that differs.
  public void assertHolds(Decoded expected, String description) {
    assertThat(describe(schema))
        .as("schema of " + description)
        .isEqualTo(describe(expected.schema));
    assertThat(schema).as("schema of " + description).isEqualTo(expected.schema);
    assertThat(batches).as("batches of " + description).hasSameSizeAs(expected.batches);
    for (int batch = 0; batch < batches.size(); batch++) {
      for (int column = 0; column < schema.fields().size(); column++) {
        assertThat(batches.get(batch).get(column))
            .as("batch %d, column %d of %s", batch, column, description)
            .isEqualTo(expected.batches.get(batch).get(column));
      }
    }
  }

  private static String describe(Schema schema) {
    StringBuilder lines = new StringBuilder(schema.metadata().toString());
    schema.fields().forEach(field -> describe(field, "\n", lines));
    return lines.toString();
  }

  private static void describe(Field field, String indent, StringBuilder lines) {
    lines.append(indent).append(field);
    for (KeyValue entry : field.metadata().entries()) {
      lines.append(indent).append("  ").append(entry);
    }
    field.children().forEach(child -> describe(child, indent + "  ", lines));
  }

  @FunctionalInterface
  public interface BatchConsumer {
    void accept(RecordBatch batch) throws IOException;
  }

  static Decoded of(IntegrationJson json) {
    return new Decoded(json.schema(), json.batches());
  }

  public static Decoded ofStream(MemorySegment stream) throws IOException {
    List<List<List<@Nullable Object>>> batches = new ArrayList<>();
    Schema schema = forEachBatchOfStream(stream, batch -> batches.add(values(batch)));
    return new Decoded(schema, batches);
  }

  public static Decoded ofFile(MemorySegment file) throws IOException {
    List<List<List<@Nullable Object>>> batches = new ArrayList<>();
    Schema schema = forEachBatchOfFile(file, batch -> batches.add(values(batch)));
    return new Decoded(schema, batches);
  }

  public static Schema forEachBatchOfStream(MemorySegment stream, BatchConsumer consumer)
      throws IOException {
    try (StreamReader reader = new StreamReader(ByteSource.of(stream), Limits.DEFAULT)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        consumer.accept(batch);
      }
      return reader.schema();
    }
  }

  public static Schema forEachBatchOfFile(MemorySegment file, BatchConsumer consumer)
      throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      FileReader reader = new FileReader(file, Limits.DEFAULT, arena);
      for (int i = 0; i < reader.batchCount(); i++) {
        consumer.accept(reader.batch(i));
      }
      return reader.schema();
    }
  }

  /// Rewrites the stream with our writer.
  static MemorySegment rewriteAsStream(MemorySegment stream, Codec codec) throws IOException {
    Sink sink = new Sink();
    try (StreamReader reader = new StreamReader(ByteSource.of(stream), Limits.DEFAULT)) {
      StreamWriter writer = new StreamWriter(sink, reader.schema(), codec);
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        writer.write(batch);
      }
      writer.close();
    }
    return sink.written();
  }

  /// Rewrites the stream as a file with our writer.
  static MemorySegment rewriteAsFile(MemorySegment stream, Codec codec) throws IOException {
    Sink sink = new Sink();
    try (StreamReader reader = new StreamReader(ByteSource.of(stream), Limits.DEFAULT)) {
      FileWriter writer = new FileWriter(sink, reader.schema(), codec);
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        writer.write(batch);
      }
      writer.close(Metadata.EMPTY);
    }
    return sink.written();
  }

  public static List<List<@Nullable Object>> values(RecordBatch batch) {
    return batch.columns().stream().map(Values::of).toList();
  }

  private static Field withoutId(Field field) {
    DictionaryEncoding dictionary = field.dictionary();
    return dictionary == null
        ? field
        : field.withDictionary(
            new DictionaryEncoding(0, dictionary.indexType(), dictionary.ordered()));
  }

  private static Schema mapFields(Schema schema, UnaryOperator<Field> change) {
    return new Schema(
        mapFields(schema.fields(), change),
        schema.metadata(),
        schema.endianness(),
        schema.features());
  }

  private static List<Field> mapFields(List<Field> fields, UnaryOperator<Field> change) {
    return fields.stream()
        .map(field ->
            change.apply(
                new Field(
                    field.name(),
                    field.nullable(),
                    field.type(),
                    field.dictionary(),
                    mapFields(field.children(), change),
                    field.metadata())))
        .toList();
  }

  /// A sink that collects bytes in native memory, from which bodies are read.
  public static final class Sink implements ByteSink {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void write(MemorySegment source) {
      bytes.writeBytes(source.toArray(LittleEndian.INT8));
    }

    public MemorySegment written() {
      return copy(bytes.toByteArray());
    }

    static MemorySegment copy(byte[] bytes) {
      MemorySegment written = Arena.ofAuto().allocate(Math.max(8, bytes.length), 8);
      return written.asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
    }
  }
}
