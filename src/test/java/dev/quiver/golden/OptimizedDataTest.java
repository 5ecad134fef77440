package dev.quiver.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.UploadData;
import dev.quiver.store.Datasets;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.file.BatchEntry;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests that batches combined or split by an upload have the uploaded rows, for every type and
/// with nulls. Arrow Java reads them, or Quiver if Arrow Java cannot.
@Tag("arrow-java")
@Tag("random")
class OptimizedDataTest {

  private static final int SEED_COUNT = 100;
  private static final int DEPTH = 4;
  private static final DatasetName NAME = new DatasetName("optimized");

  @TempDir private Path folder;
  private Datasets datasets;

  @BeforeEach
  void open() throws IOException {
    datasets = new Datasets(FolderBlobStore.open(folder), DatasetOptions.DEFAULT);
  }

  @Test
  void combinesSmallBatches() throws IOException {
    int columnCount = 0;
    for (int seed : Trials.seeds(SEED_COUNT)) {
      try (Arena arena = Arena.ofConfined()) {
        RandomData data = new RandomData(seed);
        Schema schema = readable(data.schema(DEPTH).fields().stream(), true);
        columnCount += schema.fields().size();
        int[] lengths = new Random(seed).ints(4, 0, 20).toArray();
        Written written = Written.of(schema, data, lengths, arena);
        List<BatchEntry> stored = store(written, Codec.values()[seed % Codec.values().length]);
        assertThat(stored).as("seed " + seed).hasSize(1);
        assertHolds(written, true, "seed " + seed);
      }
    }
    assertThat(columnCount).isGreaterThan(Trials.of(SEED_COUNT));
  }

  @Test
  void combinesSmallBatchesOfEveryKind() throws IOException {
    assertCombined(true);
    assertCombined(false);
  }

  @Tag("long")
  @Test
  void splitsLargeBatches() throws IOException {
    assertSplit(true, Codec.NONE);
    assertSplit(false, Codec.LZ4);
  }

  private void assertCombined(boolean byArrowJava) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      RandomData data = new RandomData(5);
      Schema schema = readable(everyKind(data), byArrowJava);
      Written written = Written.of(schema, data, new int[] {7, 0, 1, 12}, arena);
      assertThat(store(written, Codec.NONE)).hasSizeLessThanOrEqualTo(2);
      assertHolds(written, byArrowJava, "every kind");
    }
  }

  private void assertSplit(boolean byArrowJava, Codec codec) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      RandomData data = new LongBinary(3);
      Field payload = Field.of("payload", true, LongBinary.PAYLOAD);
      Schema schema = readable(Stream.concat(Stream.of(payload), everyKind(data)), byArrowJava);
      Written written = Written.of(schema, data, new int[] {3000}, arena);
      List<BatchEntry> stored = store(written, codec);
      assertThat(stored)
          .hasSizeBetween(8, 12)
          .allSatisfy(batch -> {
            assertThat(batch.block().bodyLength()).isLessThan(13L << 20);
            assertThat(batch.codec()).isEqualTo(codec);
          });
      assertHolds(written, byArrowJava, "every kind in " + codec);
    }
  }

  private static Stream<Field> everyKind(RandomData data) {
    return ArrayKind.ALL.stream()
        .flatMap(kind ->
            Stream.of(
                kind.field(kind + ", nullable", true, data), kind.field(kind + "", false, data)));
  }

  private static Schema readable(Stream<Field> fields, boolean byArrowJava) {
    Predicate<Field> readable = field -> ArrowJavaLimit.reason(field) == null;
    return Schema.of(fields.filter(byArrowJava ? readable : _ -> true).toArray(Field[]::new));
  }

  private List<BatchEntry> store(Written written, Codec codec) throws IOException {
    ByteSource source = ByteSource.of(written.stream(codec));
    datasets.put(
        NAME,
        UploadData.Source.of(source, BodyFormat.STREAM),
        new WriteCondition.None(),
        UploadOptions.DEFAULT,
        /* key= */ null);
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null))) {
      return snapshot.batches(0, 1000);
    }
  }

  private void assertHolds(Written written, boolean byArrowJava, String description)
      throws IOException {
    List<List<@Nullable Object>> expected = columns(written.expected().batches());
    MemorySegment stream = stored();
    if (byArrowJava) {
      assertColumns(ArrowJava.readStream(stream, written.schema()), expected, description);
    }
    Decoded decoded = Decoded.ofStream(stream);
    assertThat(decoded.schema()).isEqualTo(written.expected().schema());
    assertColumns(decoded.batches(), expected, description);
    Decoded.forEachBatchOfStream(stream, Validation::assertValid);
  }

  private MemorySegment stored() throws IOException {
    Decoded.Sink sink = new Decoded.Sink();
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null))) {
      snapshot.read(snapshot.stream(), sink);
    }
    return sink.written();
  }

  private static void assertColumns(
      List<List<List<@Nullable Object>>> batches,
      List<List<@Nullable Object>> expected,
      String description) {
    List<List<@Nullable Object>> columns = columns(batches);
    assertThat(columns).as(description).hasSameSizeAs(expected);
    for (int i = 0; i < columns.size(); i++) {
      // AssertJ is too slow for long lists.
      if (!columns.get(i).equals(expected.get(i))) {
        assertThat(columns.get(i)).as("column %d of %s", i, description).isEqualTo(expected.get(i));
      }
    }
  }

  /// Returns the values of each column, concatenated over all batches.
  static List<List<@Nullable Object>> columns(List<List<List<@Nullable Object>>> batches) {
    List<List<@Nullable Object>> columns = new ArrayList<>();
    for (List<List<@Nullable Object>> batch : batches) {
      for (int i = 0; i < batch.size(); i++) {
        if (columns.size() == i) {
          columns.add(new ArrayList<>());
        }
        columns.get(i).addAll(batch.get(i));
      }
    }
    return columns;
  }

  /// Large incompressible values in a binary column.
  private static final class LongBinary extends RandomData {

    static final ArrowType PAYLOAD = new ArrowType.LargeBinary();
    private static final int BYTE_SIZE = 25 << 10;

    LongBinary(long seed) {
      super(seed);
    }

    @Override
    public List<@Nullable Object> values(Field field, int count) {
      if (!field.name().equals("payload")) {
        return super.values(field, count);
      }
      List<@Nullable Object> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        byte[] bytes = new byte[BYTE_SIZE];
        random.nextBytes(bytes);
        values.add(i % 10 == 9 ? null : ByteString.of(bytes));
      }
      return values;
    }
  }
}
