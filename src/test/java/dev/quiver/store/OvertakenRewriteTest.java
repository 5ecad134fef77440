package dev.quiver.store;

import static dev.quiver.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.UploadData;
import dev.quiver.server.Streams;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.RewriteTurns;
import dev.quiver.store.write.UploadOptions;
import dev.quiver.store.write.UploadOptions.SchemaPolicy;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Appends with new columns that others overtake between the rewrite and the commit.
class OvertakenRewriteTest {

  private static final Field NUMBER = Field.of("number", false, new ArrowType.Int(32, true));
  private static final Field FRACTION =
      Field.of("f", false, new ArrowType.FloatingPoint(Precision.DOUBLE));
  private static final DatasetReference LATEST = new DatasetReference(DatasetTestFolder.NAME, null);
  private static final int ROWS = 10_000;

  @TempDir private Path folder;
  private Datasets others;
  private OvertakingStore store;
  private Datasets datasets;

  /// A store in which others commit before a manifest is put.
  private static final class OvertakingStore extends UnreliableStore {

    private final List<Commit> commits = new ArrayList<>();
    private boolean isCommitting;

    OvertakingStore(BlobStore store) {
      super(store);
    }

    @Override
    public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
      if (key.startsWith("manifests/") && !commits.isEmpty() && !isCommitting) {
        isCommitting = true;
        commits.removeFirst().run();
        isCommitting = false;
      }
      return super.putIfAbsent(key, content);
    }
  }

  private interface Commit {
    void run() throws IOException;
  }

  @BeforeEach
  void open() throws IOException {
    BlobStore shared = FolderBlobStore.open(folder);
    store = new OvertakingStore(shared);
    others = new Datasets(shared, DatasetOptions.DEFAULT);
    datasets = new Datasets(store, DatasetOptions.DEFAULT);
    append(others, numbers(0, ROWS));
  }

  private static byte[] numbers(long from, long to) throws IOException {
    return Streams.of(Schema.of(NUMBER), LongStream.range(from, to).boxed().toList());
  }

  private static byte[] fraction(Field field, long number) throws IOException {
    return Streams.of(Schema.of(field, NUMBER), List.of(0.5), List.of(number));
  }

  private static WriteResult append(Datasets datasets, byte[] body) throws IOException {
    return datasets.append(
        DatasetTestFolder.NAME,
        UploadData.Source.of(ByteSource.of(MemorySegment.ofArray(body)), BodyFormat.STREAM),
        new WriteCondition.None(),
        UploadOptions.KEEP.withSchemaPolicy(new SchemaPolicy(false, /* addsColumns= */ true)),
        /* key= */ null);
  }

  private void assertRows(int rows, String... columns) throws IOException {
    try (Snapshot latest = others.open(LATEST)) {
      assertThat(latest.summary().file().rows()).isEqualTo(rows);
      assertThat(latest.schema().fields()).extracting(Field::name).containsExactly(columns);
    }
    assertThat(column(0)).isEqualTo(LongStream.range(0, rows).boxed().toList());
  }

  private List<@Nullable Object> column(int index) throws IOException {
    List<@Nullable Object> values = new ArrayList<>();
    try (Snapshot latest = others.open(LATEST);
        DecodedBatches batches = latest.decodedBatches()) {
      for (long i = 0; i < batches.count(); i++) {
        values.addAll(Values.of(batches.read(i).columns().get(index)));
      }
    }
    return values;
  }

  /// Returns the keys of the data blobs.
  private List<String> blobs() throws IOException {
    try (Snapshot latest = others.open(LATEST)) {
      return latest.extents().stream()
          .map(BlobExtent::key)
          .filter(key -> key.startsWith("data/"))
          .distinct()
          .toList();
    }
  }

  /// Each rewrites the whole dataset, and only one can be the next version.
  @Test
  void rewritesOfADatasetTakeTurns() throws Exception {
    RewriteTurns turns = datasets.rewriteTurns();
    try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
      Future<WriteResult> extended;
      try (var _ = turns.await(DatasetTestFolder.NAME).permit()) {
        extended = executor.submit(() -> append(datasets, fraction(FRACTION, ROWS + 1)));
        eventually(() -> assertThat(turns.userCount(DatasetTestFolder.NAME)).isEqualTo(2));
        append(datasets, numbers(ROWS, ROWS + 1));
      }
      assertThat(extended.get().summary().version()).isEqualTo(3);
    }
    assertRows(ROWS + 2, "number", "f");
    assertThat(turns.userCount(DatasetTestFolder.NAME)).isZero();
  }

  @Test
  void rewritesOnlyTheBatchesThatOthersHaveAppended() throws IOException {
    for (long number = ROWS; number < ROWS + 3; number++) {
      long next = number;
      store.commits.add(() -> append(others, numbers(next, next + 1)));
    }
    WriteResult extended = append(datasets, fraction(FRACTION, ROWS + 3));
    assertThat(extended.summary().kind()).isEqualTo(VersionKind.EXTEND);
    assertThat(extended.summary().version()).isEqualTo(5);
    assertRows(ROWS + 4, "number", "f");
    // The first rewrite has the rows of before, and each further one those of one append.
    assertThat(blobs()).hasSize(4);
    assertThat(others.checks().verify(LATEST, _ -> {}).damaged()).isEmpty();
  }

  @Test
  void rewritesAllIfOthersHaveAddedColumns() throws IOException {
    store.commits.add(() -> append(others, fraction(FRACTION.withName("other"), ROWS)));
    append(datasets, fraction(FRACTION, ROWS + 1));
    assertRows(ROWS + 2, "number", "other", "f");
    assertThat(blobs()).hasSize(1);
  }

  @Test
  void addsNoColumnThatOthersHaveAdded() throws IOException {
    store.commits.add(() -> append(others, fraction(FRACTION, ROWS)));
    WriteResult appended = append(datasets, fraction(FRACTION, ROWS + 1));
    assertThat(appended.summary().kind()).isEqualTo(VersionKind.APPEND);
    assertRows(ROWS + 2, "number", "f");
  }

  @Test
  void rewritesAllIfOthersHaveReplacedTheDataset() throws IOException {
    store.commits.add(() ->
        others.put(
            DatasetTestFolder.NAME,
            ByteSource.of(MemorySegment.ofArray(numbers(0, 1))),
            BodyFormat.STREAM,
            new WriteCondition.None()));
    append(datasets, fraction(FRACTION, 1));
    assertRows(2, "number", "f");
  }

  /// With the values of both, the indices of the first rewrite are too narrow.
  @Test
  void rewritesAllIfAnotherDictionaryOutgrowsItsIndices() throws IOException {
    append(others, colors(ROWS, 0, 60));
    store.commits.add(() -> append(others, colors(ROWS + 60, 60, 100)));
    append(datasets, colors(ROWS + 100, 100, 150, FRACTION));
    assertRows(ROWS + 150, "number", "color", "f");
    assertThat(column(1).subList(ROWS, ROWS + 150))
        .isEqualTo(IntStream.range(0, 150).mapToObj(i -> "color " + i).toList());
    assertThat(column(2).subList(0, ROWS + 100)).containsOnlyNulls();
    try (Snapshot latest = others.open(LATEST)) {
      Field color = latest.schema().fields().get(1);
      assertThat(Objects.requireNonNull(color.dictionary()).indexType().bitWidth()).isEqualTo(32);
    }
  }

  /// Returns rows with new values of a dictionary.
  ///
  /// @param number of the first row
  /// @param others fractions
  private static byte[] colors(long number, int from, int to, Field... others) throws IOException {
    ArrowType.Int int8 = new ArrowType.Int(8, true);
    Field color =
        Field.of("color", true, new ArrowType.Utf8())
            .withDictionary(new DictionaryEncoding(0, int8, /* ordered= */ false));
    List<String> values = IntStream.range(from, to).mapToObj(i -> "color " + i).toList();
    List<Field> fields = new ArrayList<>(List.of(NUMBER, color));
    List<List<?>> columns = new ArrayList<>();
    columns.add(LongStream.range(number, number + to - from).boxed().toList());
    columns.add(values);
    for (Field other : others) {
      fields.add(other);
      columns.add(Collections.nCopies(values.size(), 0.5));
    }
    return Streams.of(
        Schema.of(fields.toArray(Field[]::new)),
        Map.of(0L, values),
        columns.toArray(List<?>[]::new));
  }
}
