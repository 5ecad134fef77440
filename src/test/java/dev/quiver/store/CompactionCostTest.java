package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.validate.Level;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The cost of a compaction: the bytes that it reads, and the ranges that it maps at a time.
class CompactionCostTest {

  private static final int MEBI = 1 << 20;

  @TempDir private Path folder;
  private CountingStore store;

  @BeforeEach
  void open() throws IOException {
    store = new CountingStore(FolderBlobStore.open(folder));
  }

  @Test
  void compactionReadsEachBatchOnce() throws IOException {
    Schema schema = Schema.of(Field.of("n", false, new ArrowType.Int(64, true)));
    int rows = 3 * MEBI / Long.BYTES;
    Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT);
    for (int i = 0; i < 7; i++) {
      int first = i * rows;
      MemorySegment numbers =
          MemorySegment.ofArray(IntStream.range(first, first + rows).asLongStream().toArray());
      append(datasets, batch(schema, rows, MemorySegment.NULL, numbers));
    }
    store.take();
    VersionSummary compacted =
        datasets.compact(DatasetTestFolder.NAME, new WriteCondition.None()).summary();
    assertThat(store.take()).isBetween(21L * MEBI, 22L * MEBI);
    // Two batches have 6 MiB; three exceed the maximum size.
    assertThat(compacted.file().batches()).isEqualTo(4);
    long next = 0;
    try (Snapshot snapshot = datasets.open(new DatasetReference(DatasetTestFolder.NAME, null));
        DecodedBatches batches = snapshot.decodedBatches()) {
      for (int i = 0; i < compacted.file().batches(); i++) {
        RecordBatch batch = batches.read(i);
        MemorySegment numbers = batch.columns().getFirst().buffers().get(1);
        for (long j = 0; j < batch.length(); j++) {
          assertThat(LittleEndian.getInt64(numbers, j * Long.BYTES)).isEqualTo(next++);
        }
      }
    }
    assertThat(next).isEqualTo(7L * rows);
  }

  /// Only reading such a batch shows that it is invalid and cannot be coalesced.
  @Test
  void compactionMapsInvalidBatchesOneAtATime() throws IOException {
    Schema schema = Schema.of(Field.of("text", false, new ArrowType.Utf8()));
    Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT.withLevel(Level.LAYOUT));
    byte[] invalid = new byte[MEBI];
    invalid[0] = (byte) 0xff;
    for (byte[] text :
        List.of(invalid, invalid, invalid, invalid, invalid, new byte[1], new byte[1])) {
      MemorySegment offsets = MemorySegment.ofArray(new int[] {0, text.length});
      append(datasets, batch(schema, 1, MemorySegment.NULL, offsets, MemorySegment.ofArray(text)));
    }
    store.take();
    VersionSummary compacted =
        datasets.compact(DatasetTestFolder.NAME, new WriteCondition.None()).summary();
    assertThat(compacted.file().batches()).isEqualTo(6);
    assertThat(store.maximumMaps()).isEqualTo(1);
    assertThat(store.take()).isBetween(5L * MEBI, 6L * MEBI);
  }

  private static void append(Datasets datasets, RecordBatch batch) throws IOException {
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, batch.schema(), Codec.NONE);
    writer.write(batch);
    writer.close();
    datasets.append(
        DatasetTestFolder.NAME,
        UploadData.Source.of(bytes.source(), BodyFormat.STREAM),
        new WriteCondition.None(),
        UploadOptions.KEEP,
        null);
  }

  private static RecordBatch batch(Schema schema, int rows, MemorySegment... buffers) {
    Field field = schema.fields().getFirst();
    ArrayData column = new ArrayData(field, rows, 0, List.of(buffers), List.of(), null);
    return new RecordBatch(schema, rows, List.of(column));
  }
}
