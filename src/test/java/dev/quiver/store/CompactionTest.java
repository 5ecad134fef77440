package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.catalog.Retention;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.version.WriteResult;
import dev.quiver.store.write.CompactionPolicy;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compaction of small appends into few pieces and batches, unnoticed by readers and writers.
class CompactionTest {

  private static final DatasetName NAME = DatasetTestFolder.NAME;
  private static final WriteCondition NONE = new WriteCondition.None();
  private static final Schema SCHEMA =
      Schema.of(
          Field.of("n", false, new ArrowType.Int(64, true)),
          Field.of("text", true, new ArrowType.Utf8())
              .withDictionary(new DictionaryEncoding(1, new ArrowType.Int(8, true), false)));
  private static final List<String> TEXTS = List.of("a", "b", "c");

  @TempDir private Path folder;
  private BlobStore store;
  private Datasets datasets;
  private final List<List<@Nullable Object>> expected =
      List.of(new ArrayList<>(), new ArrayList<>());

  @BeforeEach
  void open() throws IOException {
    store = FolderBlobStore.open(folder);
    datasets = new Datasets(store, DatasetOptions.DEFAULT, policy(CompactionPolicy.NEVER));
  }

  @Test
  void compactsOnRequest() throws IOException {
    for (int i = 0; i < 5; i++) {
      append(1 + i, Codec.NONE);
    }
    VersionSummary before = latest();
    WriteResult compacted = datasets.compact(NAME, new WriteCondition.None());
    assertThat(compacted.summary().kind()).isEqualTo(VersionKind.COMPACTION);
    assertThat(compacted.summary().version()).isEqualTo(6);
    assertThat(compacted.summary().commitId()).isEqualTo(before.commitId());
    assertThat(compacted.summary().file().rows()).isEqualTo(before.file().rows());
    assertThat(compacted.summary().file().batches()).isEqualTo(1);
    assertThat(latest()).isEqualTo(compacted.summary());
    assertRows();
    // A second compaction has nothing to do.
    assertThat(datasets.compact(NAME, new WriteCondition.None()).summary())
        .isEqualTo(compacted.summary());
    append(3, Codec.NONE);
    assertRows();
    assertThat(latest().version()).isEqualTo(7);
    assertThat(latest().commitId()).isNotEqualTo(before.commitId());
  }

  @Test
  void coalescesOnlyBatchesOfTheSameCodec() throws IOException {
    append(1000, Codec.NONE);
    append(1000, Codec.ZSTD);
    append(1000, Codec.ZSTD);
    append(1000, Codec.LZ4);
    assertThat(datasets.compact(NAME, new WriteCondition.None()).summary().file().batches())
        .isEqualTo(3);
    assertRows();
  }

  /// Appends continue during a compaction. The compacted batches keep their place before those
  /// appended meanwhile.
  @Test
  void compactionDoesNotBlockAppends() throws IOException {
    for (int i = 0; i < 4; i++) {
      append(1, Codec.NONE);
    }
    UnreliableStore slow = new UnreliableStore(store);
    List<String> compacting = new ArrayList<>();
    slow.setFault(moment -> {
      if (moment.operation() == UnreliableStore.Operation.PUT
          && !moment.after()
          && compacting.isEmpty()) {
        compacting.add(moment.key());
        append(2, Codec.NONE);
        append(3, Codec.NONE);
      }
    });
    Datasets other = new Datasets(slow, DatasetOptions.DEFAULT, policy(CompactionPolicy.NEVER));
    VersionSummary all = other.compact(NAME, new WriteCondition.None()).summary();
    VersionSummary compacted = datasets.summary(new DatasetReference(NAME, 7L));
    assertThat(compacted.kind()).isEqualTo(VersionKind.COMPACTION);
    assertThat(compacted.file().batches()).isEqualTo(3);
    assertThat(compacted.commitId())
        .isEqualTo(datasets.summary(new DatasetReference(NAME, 6L)).commitId());
    // A second pass compacts the batches appended meanwhile.
    assertThat(all.version()).isEqualTo(8);
    assertThat(all.file().batches()).isEqualTo(1);
    assertRows();
  }

  @Test
  void abandonsACompactionWhosePiecesWereReplaced() throws IOException {
    for (int i = 0; i < 4; i++) {
      append(1, Codec.NONE);
    }
    UnreliableStore slow = new UnreliableStore(store);
    List<String> compacting = new ArrayList<>();
    slow.setFault(moment -> {
      if (moment.operation() == UnreliableStore.Operation.PUT
          && !moment.after()
          && compacting.isEmpty()) {
        compacting.add(moment.key());
        expected.forEach(List::clear);
        put(5);
      }
    });
    Datasets other = new Datasets(slow, DatasetOptions.DEFAULT, policy(CompactionPolicy.NEVER));
    assertThat(other.compact(NAME, new WriteCondition.None()).summary().version()).isEqualTo(5);
    assertRows();
    // Four appends and their replacement; nothing is left of the compaction.
    assertThat(DatasetTestFolder.dataKeys(store)).hasSize(5);
  }

  /// Without background work, an append compacts as soon as the policy is exceeded.
  @Test
  void boundsTheNumberOfPiecesAndBatches() throws IOException {
    try (Datasets bounded =
        new Datasets(store, DatasetOptions.DEFAULT, policy(new CompactionPolicy(20, 1000)))) {
      datasets = bounded;
      for (int i = 0; i < 100; i++) {
        append(1 + i % 7, Codec.NONE);
        try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null))) {
          assertThat(snapshot.extents()).hasSizeLessThanOrEqualTo(24);
        }
      }
      assertRows();
      assertThat(latest().file().batches()).isLessThan(24);
    }
  }

  private static StoragePolicy policy(CompactionPolicy compaction) {
    return new StoragePolicy(Retention.DEFAULT, compaction, StoragePolicy.DEFAULT.maxStaleness());
  }

  private VersionSummary latest() throws IOException {
    return datasets.summary(new DatasetReference(NAME, null));
  }

  private void append(int rows, Codec codec) throws IOException {
    datasets.append(
        NAME,
        UploadData.Source.of(source(stream(rows, codec)), BodyFormat.STREAM),
        NONE,
        UploadOptions.DEFAULT,
        null);
  }

  private void put(int rows) throws IOException {
    datasets.put(NAME, source(stream(rows, Codec.NONE)), BodyFormat.STREAM, NONE);
  }

  private static ByteSource source(byte[] body) {
    return ByteSource.of(MemorySegment.ofArray(body));
  }

  private byte[] stream(int rows, Codec codec) throws IOException {
    List<@Nullable Object> numbers = new ArrayList<>();
    List<@Nullable Object> texts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      numbers.add((long) expected.get(0).size() + i);
      texts.add(i % 4 == 3 ? null : TEXTS.get(i % 4));
    }
    expected.get(0).addAll(numbers);
    expected.get(1).addAll(texts);
    Bytes bytes = new Bytes();
    try (Arena arena = Arena.ofConfined()) {
      StreamWriter writer = new StreamWriter(bytes, SCHEMA, codec);
      writer.write(
          new ArrayBuilder(arena, Map.of(1L, TEXTS))
              .recordBatch(SCHEMA, rows, List.of(numbers, texts)));
      writer.close();
    }
    return bytes.toByteArray();
  }

  private void assertRows() throws IOException {
    List<List<@Nullable Object>> found = List.of(new ArrayList<>(), new ArrayList<>());
    try (Snapshot snapshot = datasets.open(new DatasetReference(NAME, null));
        DecodedBatches batches = snapshot.decodedBatches()) {
      for (long i = 0; i < batches.count(); i++) {
        RecordBatch batch = batches.read(i);
        for (int j = 0; j < 2; j++) {
          found.get(j).addAll(Values.of(batch.columns().get(j)));
        }
      }
    }
    assertThat(found).isEqualTo(expected);
  }
}
