package dev.quiver.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.EncodedBody;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.parallel.ScratchFile;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.UploadData;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.MemoryBlobStore;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.SelectedVersion;
import dev.quiver.store.read.Selection;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import dev.quiver.store.write.DatasetOptions;
import dev.quiver.store.write.UploadOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The bytes that appends and reads transfer. An append writes about as much as it adds, and a read
/// reads about as much as it returns, however large the dataset is.
@Tag("long")
class AppendCostTest {

  private static final DatasetName NAME = DatasetTestFolder.NAME;
  private static final WriteCondition NONE = new WriteCondition.None();
  private static final Field NUMBER = Field.of("n", false, new ArrowType.Int(64, true));
  private static final Schema SCHEMA = Schema.of(NUMBER);
  private static final int MEBI = 1 << 20;

  @TempDir private Path folder;

  @Test
  void appendToALargeDatasetWritesOnlyTheNewBytes() throws IOException {
    CountedWrites store = new CountedWrites(FolderBlobStore.open(folder.resolve("store")));
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT);
        ScratchFile large = new ScratchFile(folder);
        Arena arena = Arena.ofConfined()) {
      MessageWriter writer = new MessageWriter(large);
      writer.writeSchema(SCHEMA);
      try (Arena batchArena = Arena.ofConfined()) {
        EncodedBody body = body(batchArena, 10_000_000 / Long.BYTES);
        for (int i = 0; i < 100; i++) {
          writer.writeRecordBatch(body, Metadata.EMPTY);
        }
      }
      writer.writeEndOfStream();
      ByteSource stream = ByteSource.of(large.map(0, large.position(), arena));
      datasets.put(NAME, stream, BodyFormat.STREAM, NONE);
      store.written.set(0);
      VersionSummary appended =
          datasets
              .append(
                  NAME,
                  UploadData.Source.of(
                      source(stream(0, 1_000_000 / Long.BYTES)), BodyFormat.STREAM),
                  NONE,
                  UploadOptions.DEFAULT,
                  null)
              .summary();
      assertThat(appended.file().byteSize()).isGreaterThan(1_001_000_000);
      assertThat(appended.file().batches()).isEqualTo(101);
      assertThat(store.written.get()).isBetween(1_000_000L, 1_300_000L);
    }
  }

  @Test
  void lastOfTenThousandSmallAppendsIsCheapToWriteAndRead() throws Exception {
    MemoryBlobStore memory = new MemoryBlobStore(folder);
    CountingStore store = new CountingStore(memory);
    int count = 10_000;
    int rows = 10;
    try (Datasets datasets = new Datasets(store, DatasetOptions.DEFAULT)) {
      for (int i = 0; i < count; i++) {
        byte[] body = stream((long) i * rows, rows);
        memory.takeWritten();
        datasets.append(
            NAME,
            UploadData.Source.of(source(body), BodyFormat.STREAM),
            NONE,
            UploadOptions.DEFAULT,
            null);
        if (i == count - 1) {
          assertThat(memory.takeWritten()).isLessThan(2L * body.length + (256 << 10));
        }
      }
      DatasetReference latest = new DatasetReference(NAME, null);
      VersionSummary summary = datasets.summary(latest);
      assertThat(summary.file().rows()).isEqualTo((long) count * rows);
      assertThat(summary.file().batches()).isLessThan(2_000);
      store.take();
      try (Snapshot snapshot = datasets.open(latest)) {
        assertThat(snapshot.extents()).hasSizeLessThanOrEqualTo(256);
        SelectedVersion slice = snapshot.select(new Selection(List.of(), 54_321, 10));
        try (DecodedBatches batches = slice.decodedBatches()) {
          RecordBatch batch = batches.read(0);
          assertThat(Values.of(batch.columns().getFirst()))
              .containsExactly(
                  54_321L, 54_322L, 54_323L, 54_324L, 54_325L, 54_326L, 54_327L, 54_328L, 54_329L,
                  54_330L);
        }
      }
      assertThat(store.take()).isLessThan(MEBI);
    }
  }

  private static EncodedBody body(Arena arena, int rows) {
    MemorySegment values = arena.allocate(rows * Long.BYTES, 64);
    for (int i = 0; i < rows; i++) {
      values.setAtIndex(ValueLayout.JAVA_LONG, i, i * 0x9E3779B97F4A7C15L);
    }
    ArrayData column =
        new ArrayData(NUMBER, rows, 0, List.of(MemorySegment.NULL, values), List.of(), null);
    return EncodedBody.of(rows, List.of(column), Codec.NONE, arena);
  }

  static byte[] stream(long first, int rows) throws IOException {
    Bytes bytes = new Bytes();
    try (Arena arena = Arena.ofConfined()) {
      List<Object> values = LongStream.range(first, first + rows).<Object>mapToObj(n -> n).toList();
      StreamWriter writer = new StreamWriter(bytes, SCHEMA, Codec.NONE);
      writer.write(new ArrayBuilder(arena, Map.of()).recordBatch(SCHEMA, rows, List.of(values)));
      writer.close();
    }
    return bytes.toByteArray();
  }

  private static ByteSource source(byte[] body) {
    return ByteSource.of(MemorySegment.ofArray(body));
  }

  private static final class CountedWrites extends UnreliableStore {

    private final AtomicLong written = new AtomicLong();

    CountedWrites(BlobStore store) {
      super(store);
    }

    @Override
    public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
      written.addAndGet(content.byteSize());
      return super.putIfAbsent(key, content);
    }

    @Override
    public BlobUpload begin(String key) throws IOException {
      BlobUpload upload = super.begin(key);
      return new BlobUpload() {

        @Override
        public long position() {
          return upload.position();
        }

        @Override
        public void write(MemorySegment source) throws IOException {
          written.addAndGet(source.byteSize());
          upload.write(source);
        }

        @Override
        public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
          return upload.map(byteOffset, byteSize, arena);
        }

        @Override
        public boolean commit() throws IOException {
          return upload.commit();
        }

        @Override
        public void close() throws IOException {
          upload.close();
        }
      };
    }
  }
}
