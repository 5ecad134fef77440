package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.FileReader;
import dev.quiver.arrow.ipc.StreamReader;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.UploadData;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.PreconditionFailedException;
import dev.quiver.store.version.SchemaMismatchException;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Appended data reads like one upload of everything: from `.arrow`, from `.arrows`, and by batch.
class AppendTest {

  private static final ArrowType.Int INT8 = new ArrowType.Int(8, true);
  private static final ArrowType.Int INT16 = new ArrowType.Int(16, true);
  private static final ArrowType.Int INT32 = new ArrowType.Int(32, true);
  private static final WriteCondition NONE = new WriteCondition.None();

  @TempDir private Path folder;
  private DatasetTestFolder data;

  @BeforeEach
  void open() throws IOException {
    data = new DatasetTestFolder(folder);
  }

  @Test
  void appendsBatchesAfterTheExistingOnes() throws IOException {
    Schema schema = Schema.of(Field.of("n", true, INT32));
    WriteResult first = append(stream(schema, Map.of(), List.of(1L, 2L), List.of(3L)));
    assertThat(first.created()).isTrue();
    assertThat(first.summary().kind()).isEqualTo(VersionKind.UPLOAD);
    WriteResult second = append(stream(schema, Map.of(), Arrays.asList(4L, null)));
    assertThat(second.created()).isFalse();
    assertThat(second.summary().kind()).isEqualTo(VersionKind.APPEND);
    assertThat(second.summary().version()).isEqualTo(2);
    assertThat(second.summary().file().rows()).isEqualTo(5);
    assertThat(second.summary().file().batches()).isEqualTo(3);
    assertThat(second.summary().commitId()).isNotEqualTo(first.summary().commitId());
    assertColumn(Arrays.asList(1L, 2L, 3L, 4L, null));
    // The first version is unchanged.
    assertThat(data.datasets.summary(new DatasetReference(DatasetTestFolder.NAME, 1L)))
        .isEqualTo(first.summary());
  }

  @Test
  void appendsEqualOneUpload() throws IOException {
    Schema schema = Schema.of(Field.of("n", true, INT32));
    List<Object> a = List.of(1L, 2L, 3L);
    List<Object> b = List.of(4L);
    List<Object> c = List.of(5L, 6L);
    append(stream(schema, Map.of(), a));
    append(stream(schema, Map.of(), b, c));
    byte[] appended = data.file();
    byte[] appendedStream = data.stream();
    data.put(stream(schema, Map.of(), a, b, c));
    assertThat(appended).isEqualTo(data.file());
    assertThat(appendedStream).isEqualTo(data.stream());
  }

  @Test
  void appendsWithDictionariesEqualOneUpload() throws IOException {
    Schema schema = schema(7, INT8);
    List<String> all = List.of("red", "green", "blue");
    append(stream(schema, Map.of(7L, all), List.of("red", "blue")));
    append(stream(schema, Map.of(7L, all), List.of("green"), List.of("red")));
    byte[] appended = data.file();
    data.put(
        stream(schema, Map.of(7L, all), List.of("red", "blue"), List.of("green"), List.of("red")));
    assertThat(appended).isEqualTo(data.file());
  }

  @Test
  void unifiesDictionaries() throws IOException {
    append(
        stream(schema(7, INT8), Map.of(7L, List.of("red", "green")), Arrays.asList("red", null)));
    // Known values in another order, then new values under another dictionary id.
    append(stream(schema(7, INT8), Map.of(7L, List.of("green", "red")), List.of("red", "green")));
    append(stream(schema(0, INT8), Map.of(0L, List.of("blue", "red")), List.of("blue", "red")));
    List<String> wide = List.of("green", "red", "green");
    append(stream(schema(3, INT16), Map.of(3L, List.of("red", "green")), wide));
    append(
        stream(
            schema(7, INT8), Map.of(7L, List.of("red", "green", "blue", "grey")), List.of("grey")));
    append(
        stream(
            schema(9, INT8),
            Map.of(9L, List.of("red", "green", "blue", "grey", "pink")),
            List.of("pink")));
    assertColumn(
        Arrays.asList(
            "red", null, "red", "green", "blue", "red", "green", "red", "green", "grey", "pink"));
    try (Snapshot snapshot = data.open()) {
      assertThat(snapshot.schema()).isEqualTo(schema(7, INT8));
      assertThat(snapshot.dictionaries()).hasSize(1);
    }
  }

  @Test
  void widensIndicesAsDictionariesGrow() throws IOException {
    List<String> many = IntStream.range(0, 200).mapToObj(i -> "v" + i).toList();
    List<String> more = IntStream.range(0, 40_000).mapToObj(i -> "v" + i).toList();
    append(stream(schema(7, INT8), Map.of(7L, List.of("a", "b")), List.of("a", "b")));
    append(stream(schema(7, INT16), Map.of(7L, many), List.of("v0", "v199")));
    append(stream(schema(7, INT8), Map.of(7L, List.of("b")), List.of("b")));
    append(stream(schema(7, INT32), Map.of(7L, more), List.of("v39999")));
    assertColumn(List.of("a", "b", "v0", "v199", "b", "v39999"));
    try (Snapshot snapshot = data.open()) {
      assertThat(snapshot.schema()).isEqualTo(schema(7, INT32));
    }
  }

  @Test
  void matchesDictionariesByField() throws IOException {
    Schema apart = Schema.of(encoded("x", INT8, 1), encoded("y", INT8, 2));
    Schema swapped = Schema.of(encoded("x", INT8, 2), encoded("y", INT8, 1));
    Schema shared = Schema.of(encoded("x", INT8, 5), encoded("y", INT8, 5));
    append(rows(apart, Map.of(1L, List.of("a"), 2L, List.of("b")), List.of("a"), List.of("b")));
    append(rows(swapped, Map.of(2L, List.of("c"), 1L, List.of("d")), List.of("c"), List.of("d")));
    append(rows(shared, Map.of(5L, List.of("d", "e")), List.of("e"), List.of("d")));
    assertThat(columns().get(0)).isEqualTo(List.of("a", "c", "e"));
    assertThat(columns().get(1)).isEqualTo(List.of("b", "d", "d"));
    DatasetTestFolder other = new DatasetTestFolder(folder.resolve("other"));
    data = other;
    append(rows(shared, Map.of(5L, List.of("d", "e")), List.of("e"), List.of("d")));
    append(rows(apart, Map.of(1L, List.of("a"), 2L, List.of("b")), List.of("a"), List.of("b")));
    assertThat(columns().get(0)).isEqualTo(List.of("e", "a"));
    assertThat(columns().get(1)).isEqualTo(List.of("d", "b"));
  }

  @Test
  void unifiesNestedDictionaries() throws IOException {
    Field inner = encoded("item", INT8, 1);
    Field outer =
        new Field(
            "x",
            true,
            new ArrowType.List(),
            new DictionaryEncoding(2, INT8, false),
            List.of(inner),
            Metadata.EMPTY);
    Schema schema = Schema.of(outer);
    append(
        rows(
            schema,
            Map.of(1L, List.of("a", "b"), 2L, List.of(List.of("a"), List.of("a", "b"))),
            List.of(List.of("a", "b"), List.of("a"))));
    append(
        rows(
            schema,
            Map.of(1L, List.of("c", "b", "a"), 2L, List.of(List.of("a", "b"), List.of("c"))),
            List.of(List.of("c"), List.of("a", "b"))));
    assertColumn(List.of(List.of("a", "b"), List.of("a"), List.of("c"), List.of("a", "b")));
  }

  @Test
  void keepsTheOrderOfOrderedDictionaries() throws IOException {
    Schema ordered =
        Schema.of(
            Field.of("x", true, new ArrowType.Utf8())
                .withDictionary(new DictionaryEncoding(1, INT8, true)));
    append(stream(ordered, Map.of(1L, List.of("low", "high")), List.of("low")));
    append(stream(ordered, Map.of(1L, List.of("low", "high", "huge")), List.of("huge")));
    append(stream(ordered, Map.of(1L, List.of("low")), List.of("low")));
    byte[] other = stream(ordered, Map.of(1L, List.of("low", "middle", "high")), List.of("middle"));
    assertThatThrownBy(() -> append(other))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessage(
            "Expected an ordered dictionary 1 that continues the previous one but found"
                + " another value in slot 1, which loses the order at field x, the only"
                + " difference from the schema of data");
    assertColumn(List.of("low", "huge", "low"));
  }

  @Test
  void appendsToADatasetWithoutBatches() throws IOException {
    append(stream(schema(7, INT8), Map.of()));
    append(stream(schema(7, INT8), Map.of(7L, List.of("a")), List.of("a")));
    append(stream(schema(7, INT8), Map.of()));
    assertColumn(List.of("a"));
    assertThat(data.datasets.summary(new DatasetReference(DatasetTestFolder.NAME, null)).version())
        .isEqualTo(3);
  }

  @Test
  void keepsTheCodecOfEachAppend() throws IOException {
    Schema schema = Schema.of(Field.of("n", true, INT32));
    List<Object> rows = new ArrayList<>();
    for (long i = 0; i < 1000; i++) {
      rows.add(i / 100);
    }
    append(stream(schema, Map.of(), rows));
    VersionSummary second = append(compressed(schema, Codec.ZSTD, rows)).summary();
    assertThat(second.file().codec()).isEqualTo(Codec.ZSTD);
    assertThat(second.file().mixedCodecs()).isTrue();
    List<Object> all = new ArrayList<>(rows);
    all.addAll(rows);
    assertColumn(all);
  }

  @Test
  void rejectsAnotherSchema() throws IOException {
    append(stream(Schema.of(Field.of("n", true, INT32)), Map.of(), List.of(1L)));
    byte[] other = stream(Schema.of(Field.of("m", true, INT16)), Map.of(), List.of(1L));
    assertThatThrownBy(() -> append(other)).isInstanceOf(SchemaMismatchException.class);
    assertColumn(List.of(1L));
    assertThat(data.dataKeys()).hasSize(1);
    data.assertNoTemporaryFiles();
  }

  @Test
  void appendsOnlyIfTheConditionHolds() throws IOException {
    byte[] body = stream(Schema.of(Field.of("n", true, INT32)), Map.of(), List.of(1L));
    String first = append(body).summary().commitId();
    WriteCondition ifFirst = new WriteCondition.IfCommit(Set.of(first));
    append(body, ifFirst, null);
    assertThatThrownBy(() -> append(body, ifFirst, null))
        .isInstanceOf(PreconditionFailedException.class);
    assertColumn(List.of(1L, 1L));
  }

  @Test
  void repeatedIdempotencyKeyWritesOnce() throws IOException {
    byte[] body = stream(Schema.of(Field.of("n", true, INT32)), Map.of(), List.of(1L));
    IdempotencyKey key = new IdempotencyKey("one");
    WriteResult first = append(body, NONE, key);
    WriteResult other = append(body, NONE, new IdempotencyKey("other"));
    for (int i = 0; i < 3; i++) {
      assertThat(append(body, NONE, key)).isEqualTo(first);
      assertThat(append(body, NONE, new IdempotencyKey("other"))).isEqualTo(other);
    }
    assertColumn(List.of(1L, 1L));
    WriteResult created =
        data.datasets.create(
            DatasetName.generated(key),
            UploadData.Source.of(source(body), BodyFormat.STREAM),
            UploadOptions.DEFAULT,
            key);
    assertThat(
            data.datasets.create(
                DatasetName.generated(key),
                UploadData.Source.of(source(body), BodyFormat.STREAM),
                UploadOptions.DEFAULT,
                key))
        .isEqualTo(created);
    assertThat(created.summary().file().rows()).isEqualTo(1);
    assertThat(DatasetLists.list(data.datasets, null, 9)).hasSize(2);
  }

  private WriteResult append(byte[] body) throws IOException {
    return append(body, NONE, null);
  }

  private WriteResult append(byte[] body, WriteCondition condition, @Nullable IdempotencyKey key)
      throws IOException {
    return data.datasets.append(
        DatasetTestFolder.NAME,
        UploadData.Source.of(source(body), BodyFormat.STREAM),
        condition,
        UploadOptions.KEEP,
        key);
  }

  private static ByteSource source(byte[] body) {
    return ByteSource.of(MemorySegment.ofArray(body));
  }

  private static Field encoded(String name, ArrowType.Int indexType, long id) {
    return Field.of(name, true, new ArrowType.Utf8())
        .withDictionary(new DictionaryEncoding(id, indexType, false));
  }

  private static Schema schema(long id, ArrowType.Int indexType) {
    return Schema.of(encoded("x", indexType, id));
  }

  /// Returns a stream with batches of one column.
  @SafeVarargs
  private static byte[] stream(Schema schema, Map<Long, List<?>> dictionaries, List<?>... batches)
      throws IOException {
    return stream(schema, Codec.NONE, dictionaries, Arrays.stream(batches).map(List::of).toList());
  }

  private static byte[] compressed(Schema schema, Codec codec, List<?> rows) throws IOException {
    return stream(schema, codec, Map.of(), List.of(List.of(rows)));
  }

  /// Returns a stream with one batch of these columns.
  private static byte[] rows(Schema schema, Map<Long, List<?>> dictionaries, List<?>... columns)
      throws IOException {
    return stream(schema, Codec.NONE, dictionaries, List.of(Arrays.asList(columns)));
  }

  private static byte[] stream(
      Schema schema,
      Codec codec,
      Map<Long, List<?>> dictionaries,
      List<? extends List<? extends List<?>>> batches)
      throws IOException {
    Bytes bytes = new Bytes();
    try (Arena arena = Arena.ofConfined()) {
      StreamWriter writer = new StreamWriter(bytes, schema, codec);
      ArrayBuilder builder = new ArrayBuilder(arena, dictionaries);
      for (List<? extends List<?>> columns : batches) {
        List<List<@Nullable Object>> values = new ArrayList<>();
        columns.forEach(column -> values.add(new ArrayList<>(column)));
        writer.write(builder.recordBatch(schema, columns.getFirst().size(), values));
      }
      writer.close();
    }
    return bytes.toByteArray();
  }

  private void assertColumn(List<?> expected) throws IOException {
    assertThat(columns().getFirst()).isEqualTo(expected);
  }

  /// Returns the values of all columns, after checking that stream, file and batches agree.
  private List<List<@Nullable Object>> columns() throws IOException {
    List<List<@Nullable Object>> ofStream = new ArrayList<>();
    List<List<@Nullable Object>> ofFile = new ArrayList<>();
    List<List<@Nullable Object>> ofBatches = new ArrayList<>();
    try (ScratchMemory memory = new ScratchMemory(folder);
        StreamReader stream = new StreamReader(source(data.stream()), Limits.DEFAULT);
        Snapshot snapshot = data.open();
        DecodedBatches batches = snapshot.decodedBatches()) {
      for (RecordBatch batch = stream.next(); batch != null; batch = stream.next()) {
        add(batch, ofStream);
      }
      FileReader file = new FileReader(MemorySegment.ofArray(data.file()), Limits.DEFAULT, memory);
      for (int i = 0; i < file.batchCount(); i++) {
        add(file.batch(i), ofFile);
      }
      for (long i = 0; i < batches.count(); i++) {
        add(batches.read(i), ofBatches);
      }
      assertThat(snapshot.summary().file().rows())
          .isEqualTo(ofFile.isEmpty() ? 0 : ofFile.getFirst().size());
    }
    assertThat(ofStream).isEqualTo(ofFile);
    assertThat(ofBatches).isEqualTo(ofFile);
    return ofFile;
  }

  private static void add(RecordBatch batch, List<List<@Nullable Object>> columns) {
    List<ArrayData> arrays = batch.columns();
    for (int i = 0; i < arrays.size(); i++) {
      if (columns.size() == i) {
        columns.add(new ArrayList<>());
      }
      columns.get(i).addAll(Values.of(arrays.get(i)));
    }
  }
}
