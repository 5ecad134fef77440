package dev.quiver.store;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.Trials;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RandomData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.statistics.BatchStatistics;
import dev.quiver.arrow.statistics.ColumnStatistics;
import dev.quiver.arrow.statistics.ReferenceStatistics;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Level;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.S3ProxyServer;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.blob.s3.S3BlobStore;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.Sidecar;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.CompactionPolicy;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.ImportResult;
import dev.quiver.store.write.ListedFile;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Statistics of stored batches, against the values that are read back.
@Tag("random")
class StoredStatisticsTest {

  private static final StoragePolicy NO_COMPACTION =
      new StoragePolicy(Retention.DEFAULT, CompactionPolicy.NEVER, Duration.ZERO);

  private static final int UPLOADS = 40;
  private static final ArrowType.Int INT8 = new ArrowType.Int(8, true);

  @TempDir private Path folder;

  private static Datasets datasets(BlobStore store, DatasetOptions options) {
    return new Datasets(store, options, NO_COMPACTION);
  }

  private Datasets datasets() throws IOException {
    return datasets(FolderBlobStore.open(folder), DatasetOptions.DEFAULT);
  }

  private static Snapshot open(Datasets datasets) throws IOException {
    return datasets.open(new DatasetReference(DatasetTestFolder.NAME, null));
  }

  private static void put(Datasets datasets, byte[] body, UploadOptions options)
      throws IOException {
    datasets.put(
        DatasetTestFolder.NAME,
        UploadData.Source.of(ByteSource.of(MemorySegment.ofArray(body)), BodyFormat.UNKNOWN),
        new WriteCondition.None(),
        options,
        /* key= */ null);
  }

  private static void append(Datasets datasets, byte[] body) throws IOException {
    datasets.append(
        DatasetTestFolder.NAME,
        UploadData.Source.of(ByteSource.of(MemorySegment.ofArray(body)), BodyFormat.UNKNOWN),
        new WriteCondition.None(),
        UploadOptions.KEEP,
        /* key= */ null);
  }

  /// Requires every batch of the latest version to have the statistics of its values.
  ///
  /// @return the number of batches
  private static long requireStatistics(Datasets datasets) throws IOException {
    try (Snapshot snapshot = open(datasets);
        DecodedBatches batches = snapshot.decodedBatches()) {
      for (int i = 0; i < batches.count(); i++) {
        RecordBatch batch = batches.read(i);
        BatchStatistics statistics = requireNonNull(snapshot.statistics(i), "batch " + i);
        ReferenceStatistics.require(statistics, batch.schema(), batch);
      }
      return batches.count();
    }
  }

  private static void requireNone(Datasets datasets) throws IOException {
    try (Snapshot snapshot = open(datasets)) {
      for (int i = 0; i < snapshot.summary().file().batches(); i++) {
        assertThat(snapshot.statistics(i)).as("batch %d", i).isNull();
      }
    }
  }

  private static byte[] stream(RandomData data, Schema schema, Codec codec, int... rows)
      throws IOException {
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, schema, codec);
    try (Arena arena = Arena.ofConfined()) {
      ArrayBuilder builder = new ArrayBuilder(arena, data.dictionaries());
      for (int count : rows) {
        writer.write(
            builder.recordBatch(
                schema,
                count,
                schema.fields().stream().map(field -> data.values(field, count)).toList()));
      }
      writer.close();
    }
    return bytes.toByteArray();
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void uploadsHaveStatistics(Codec codec) throws IOException {
    try (Datasets datasets = datasets()) {
      for (int seed : Trials.seeds(UPLOADS)) {
        RandomData data = new RandomData(seed);
        byte[] stream = stream(data, data.schema(3), codec, 20, 0, 3, 100);
        put(datasets, stream, UploadOptions.KEEP);
        assertThat(requireStatistics(datasets)).isEqualTo(4);
        put(datasets, stream, UploadOptions.DEFAULT);
        requireStatistics(datasets);
      }
    }
  }

  @Test
  void appendsHaveStatisticsAndCompactionsKeepThem() throws IOException {
    try (Datasets datasets = datasets()) {
      for (int seed : Trials.seeds(UPLOADS)) {
        RandomData data = new RandomData(seed);
        Schema schema = data.schema(3);
        put(datasets, stream(data, schema, Codec.NONE, 7, 2), UploadOptions.KEEP);
        for (int i = 0; i < 3; i++) {
          append(datasets, stream(data, schema, Codec.LZ4, 5, i));
        }
        assertThat(requireStatistics(datasets)).isEqualTo(8);
        datasets.compact(DatasetTestFolder.NAME, new WriteCondition.None());
        requireStatistics(datasets);
      }
    }
  }

  private static byte[] words(int first, int count) throws IOException {
    Schema schema =
        Schema.of(
            Field.of("word", true, new ArrowType.Utf8())
                .withDictionary(new DictionaryEncoding(1, INT8, false)));
    List<String> words = new ArrayList<>();
    for (int i = first; i < first + count; i++) {
      words.add("word " + i * 7919 % 1000);
    }
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, schema, Codec.NONE);
    try (Arena arena = Arena.ofConfined()) {
      ArrayBuilder builder = new ArrayBuilder(arena, Map.of(1L, words));
      for (int i = 0; i < 3; i++) {
        writer.write(builder.recordBatch(schema, count - i, List.of(words.subList(i, count))));
      }
      writer.close();
    }
    return bytes.toByteArray();
  }

  /// The indices of the appended batches change, and in the end their type does.
  @Test
  void rewrittenIndicesKeepTheStatisticsOfTheirValues() throws IOException {
    try (Datasets datasets = datasets()) {
      put(datasets, words(0, 50), UploadOptions.KEEP);
      append(datasets, words(40, 50));
      append(datasets, words(80, 50));
      assertThat(requireStatistics(datasets)).isEqualTo(9);
      try (Snapshot snapshot = open(datasets)) {
        assertThat(snapshot.schema().fields().getFirst().storageType()).isNotEqualTo(INT8);
      }
    }
  }

  /// A stream may replace its dictionary before any batch.
  @Test
  void aDictionaryThatOutgrowsItsIndicesDuringAnUploadKeepsStatistics() throws IOException {
    Bytes joined = new Bytes();
    byte[] first = words(0, 100);
    byte[] second = words(90, 100);
    int endOfStream = 8;
    int schemaEnd = schemaByteSize(second);
    joined.write(MemorySegment.ofArray(first).asSlice(0, first.length - endOfStream));
    joined.write(MemorySegment.ofArray(second).asSlice(schemaEnd));
    try (Datasets datasets = datasets()) {
      put(datasets, joined.toByteArray(), UploadOptions.KEEP);
      assertThat(requireStatistics(datasets)).isEqualTo(6);
      put(datasets, joined.toByteArray(), UploadOptions.DEFAULT);
      requireStatistics(datasets);
    }
  }

  private static int schemaByteSize(byte[] stream) {
    return 8 + LittleEndian.getInt32(MemorySegment.ofArray(stream), 4);
  }

  @Test
  void largeBatchesHaveStatisticsInEachPart() throws IOException {
    Schema schema = Schema.of(Field.of("a", false, new ArrowType.Int(64, true)));
    int rows = (64 << 20) / Long.BYTES + 8;
    Bytes bytes = new Bytes();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment data = arena.allocate((long) rows * Long.BYTES, 64);
      for (int i = 0; i < rows; i++) {
        LittleEndian.setInt64(data, (long) i * Long.BYTES, i);
      }
      StreamWriter writer = new StreamWriter(bytes, schema, Codec.NONE);
      writer.write(
          new RecordBatch(
              schema,
              rows,
              List.of(
                  new ArrayData(
                      schema.fields().getFirst(),
                      rows,
                      0,
                      List.of(MemorySegment.NULL, data),
                      List.of(),
                      null))));
      writer.close();
    }
    try (Datasets datasets = datasets()) {
      put(datasets, bytes.toByteArray(), UploadOptions.DEFAULT);
      try (Snapshot snapshot = open(datasets)) {
        assertThat(snapshot.summary().file().batches()).isGreaterThan(1);
        for (int i = 0; i < snapshot.summary().file().batches(); i++) {
          BatchStatistics statistics = requireNonNull(snapshot.statistics(i));
          ColumnStatistics.Bound minimum =
              requireNonNull(statistics.columns().getFirst().minimum());
          long least = snapshot.batches(i, 1).getFirst().rowOffset();
          byte[] expected = new byte[Long.BYTES];
          LittleEndian.setInt64(expected, 0, least);
          assertThat(minimum.value().toByteArray()).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void linkedImportsHaveStatistics() throws IOException {
    Path file = folder.resolve("data.arrow");
    Bytes bytes = new Bytes();
    FileWriter writer = new FileWriter(bytes, SampleStreams.SCHEMA, Codec.NONE);
    ArrayBuilder builder = SampleStreams.builder();
    for (int count : new int[] {3, 0, 20}) {
      writer.write(SampleStreams.batch(builder, count));
    }
    writer.close(Metadata.EMPTY);
    Files.write(file, bytes.toByteArray());
    Path real = folder.toRealPath();
    ListedFile listed =
        ListedFile.of(
            real,
            real.resolve("data.arrow"),
            "data.arrow",
            Files.readAttributes(file, BasicFileAttributes.class));
    try (Datasets datasets =
        datasets(FolderBlobStore.open(folder.resolve("store")), DatasetOptions.DEFAULT)) {
      ImportResult result = datasets.importFile(DatasetTestFolder.NAME, listed, null);
      assertThat(((ImportResult.Imported) result).linked()).isTrue();
      assertThat(requireStatistics(datasets)).isEqualTo(3);
    }
  }

  @Test
  void aBucketKeepsStatistics() throws IOException {
    try (S3BlobStore store =
            S3BlobStore.open(S3ProxyServer.options(S3ProxyServer.newBucket(), folder, 1 << 20));
        Datasets datasets = datasets(store, DatasetOptions.DEFAULT)) {
      put(datasets, SampleStreams.stream(3, 5), UploadOptions.KEEP);
      append(datasets, SampleStreams.stream(9));
      assertThat(requireStatistics(datasets)).isEqualTo(3);
      try (Snapshot snapshot = open(datasets)) {
        AtomicInteger checks = new AtomicInteger();
        snapshot.prefetchStatistics(0, 3, checks::incrementAndGet);
        assertThat(checks).as("sidecars").hasValue(2);
        assertThat(snapshot.statistics(2)).isNotNull();
      }
      datasets.compact(DatasetTestFolder.NAME, new WriteCondition.None());
      requireStatistics(datasets);
    }
  }

  @Test
  void readingSidecarsOfABucketEndsOnceTheyAreNotWanted() throws IOException {
    try (S3BlobStore store =
            S3BlobStore.open(S3ProxyServer.options(S3ProxyServer.newBucket(), folder, 1 << 20));
        Datasets datasets = datasets(store, DatasetOptions.DEFAULT)) {
      put(datasets, SampleStreams.stream(3, 5), UploadOptions.KEEP);
      append(datasets, SampleStreams.stream(9));
      append(datasets, SampleStreams.stream(2));
      AtomicInteger checks = new AtomicInteger();
      try (Snapshot snapshot = open(datasets)) {
        assertThatThrownBy(() ->
                snapshot.prefetchStatistics(
                    0,
                    4,
                    () -> {
                      if (checks.incrementAndGet() == 2) {
                        throw new IllegalStateException("not wanted");
                      }
                    }))
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("not wanted");
        assertThat(checks).hasValue(2);
        assertThat(snapshot.statistics(3)).isNotNull();
      }
    }
  }

  @Test
  void aSidecarOfAnEarlierReleaseHasNone() throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    data.put(SampleStreams.stream(3, 5));
    String key = StoreKeys.sidecar(data.dataKeys().getFirst());
    Sidecar sidecar;
    try (Blob blob = data.store.open(key)) {
      sidecar = Sidecar.read(key, blob);
    }
    data.store.delete(key);
    data.store.putIfAbsent(key, Sidecar.of(sidecar.checksums()).write());
    try (Datasets datasets = datasets()) {
      requireNone(datasets);
      append(datasets, SampleStreams.stream(4));
      try (Snapshot snapshot = open(datasets)) {
        assertThat(snapshot.statistics(1)).isNull();
        assertThat(snapshot.statistics(2)).isNotNull();
      }
      // A batch of which a part is unknown is unknown.
      datasets.compact(DatasetTestFolder.NAME, new WriteCondition.None());
      requireNone(datasets);
    }
  }

  @Test
  void readsNoStatisticsOfALostOrDamagedSidecar() throws IOException {
    DatasetTestFolder data = new DatasetTestFolder(folder);
    data.put(SampleStreams.stream(3, 5));
    String key = StoreKeys.sidecar(data.dataKeys().getFirst());
    byte[] whole = Files.readAllBytes(folder.resolve(key));
    Random random = new Random(1);
    for (int i = 0; i < 20; i++) {
      byte[] damaged = whole.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
      data.store.delete(key);
      data.store.putIfAbsent(key, MemorySegment.ofArray(damaged));
      requireDamaged(key);
    }
    data.store.delete(key);
    requireDamaged(key);
  }

  private void requireDamaged(String sidecar) throws IOException {
    try (Datasets datasets = datasets()) {
      assertThatThrownBy(() -> requireNone(datasets))
          .isInstanceOfSatisfying(
              DamagedBlobException.class, damage -> assertThat(damage.blob()).isEqualTo(sidecar));
    }
  }

  @Test
  void dataWhoseValuesWereNotValidatedHasNone() throws IOException {
    Schema schema = Schema.of(Field.of("a", true, new ArrowType.Int(32, true)));
    byte[] stream = stream(new RandomData(1), schema, Codec.NONE, 3, 4);
    for (Level level : new Level[] {Level.LAYOUT, Level.OFFSETS, Level.VALUES}) {
      try (Datasets datasets =
          datasets(
              FolderBlobStore.open(folder.resolve(level.name())),
              DatasetOptions.DEFAULT.withLevel(level))) {
        put(datasets, stream, UploadOptions.KEEP);
        if (level == Level.VALUES) {
          requireStatistics(datasets);
        } else {
          requireNone(datasets);
        }
      }
    }
  }

  /// An upload that leaves no memory for statistics is stored without the rest of them.
  @Test
  void statisticsTakeNoMemoryThatUploadsNeed() throws IOException {
    int batches = 3000;
    int[] rows = new int[batches];
    Arrays.fill(rows, 1);
    byte[] stream = SampleStreams.stream(rows);
    DatasetOptions options =
        new DatasetOptions(
            DatasetOptions.DEFAULT.limits(),
            DatasetOptions.DEFAULT.requestBytes(),
            new InFlightBytes(1 << 20));
    try (Datasets datasets = datasets(FolderBlobStore.open(folder), options);
        Datasets unlimited =
            datasets(FolderBlobStore.open(folder.resolve("other")), DatasetOptions.DEFAULT)) {
      put(datasets, stream, UploadOptions.KEEP);
      put(unlimited, stream, UploadOptions.KEEP);
      try (Snapshot limited = open(datasets);
          Snapshot other = open(unlimited)) {
        assertThat(limited.statistics(batches - 1)).isNull();
        assertThat(other.statistics(batches - 1)).isNotNull();
      }
    }
  }
}
