package dev.quiver.sql.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.server.Streams;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.sql.execution.WorkerLease;
import dev.quiver.sql.execution.WorkerPoolOptions;
import dev.quiver.sql.execution.Workers;
import dev.quiver.sql.worker.RunRequest;
import dev.quiver.sql.worker.StoredTable;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.KeptFile;
import dev.quiver.store.blob.Spool;
import dev.quiver.store.read.Selection;
import dev.quiver.store.read.Snapshot;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Versions as Parquet files, which real workers write. `ParquetTest` covers HTTP, and
/// `test_parquet.py` other programs that read them.
class ParquetFilesTest {

  /// The least memory that a worker may be given.
  private static final long MEMORY = 64L << 20;

  private static final Selection SAMPLE = new Selection(List.of(), 0, Long.MAX_VALUE, 50);

  @TempDir private Path folder;
  private DatasetTestFolder data;
  private Spool spool;
  private Workers workers;
  private ParquetFiles files;

  @BeforeEach
  void start() throws IOException {
    // The library is unpacked once for all tests.
    Files.createSymbolicLink(
        folder.resolve("engine"),
        Files.createDirectories(Path.of("target/spool/engine")).toRealPath());
    data = new DatasetTestFolder(Files.createDirectory(folder.resolve("data")));
    spool = new Spool(folder, new Limit("quiver.spool.bytes", 512L << 20));
    start(1);
  }

  private void start(int threads) {
    WorkerPoolOptions options =
        new WorkerPoolOptions(
            new Limit("quiver.files.workers", 1),
            new Limit("quiver.files.queue", 1),
            Duration.ofSeconds(60),
            new Limit("quiver.files.timeout", 60_000),
            new Limit("quiver.files.memory", MEMORY),
            threads,
            /* readsFiles= */ true,
            /* spare= */ false,
            folder,
            "quiver.spool.path");
    workers = new Workers(TestWorkers.library(), options);
    files = new ParquetFiles(workers, options, spool);
  }

  @AfterEach
  void close() {
    workers.close();
    spool.close();
    data.datasets.close();
  }

  private KeptFile open(String key, Selection selection, BooleanSupplier wanted)
      throws IOException {
    try (Snapshot snapshot = data.open()) {
      return Cancellation.when(() -> !wanted.getAsBoolean())
          .call(() -> files.open(key, snapshot, snapshot.select(selection), TestWorkers.PRINCIPAL));
    }
  }

  private byte[] bytes(String key, Selection selection) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (KeptFile file = open(key, selection, () -> true)) {
      file.write(
          0,
          file.byteSize(),
          BlobSink.reading(part -> bytes.writeBytes(part.toArray(LittleEndian.INT8))));
    }
    return bytes.toByteArray();
  }

  /// Puts rows of a text and of a value of a dictionary.
  ///
  /// @param batches each a text and its number of rows
  private void put(List<Map.Entry<String, Integer>> batches) throws IOException {
    DictionaryEncoding encoding = new DictionaryEncoding(1, new ArrowType.Int(8, true), false);
    Schema schema =
        Schema.of(
            Field.of("plain", false, new ArrowType.Utf8()),
            Field.of("encoded", false, new ArrowType.Utf8()).withDictionary(encoding));
    List<String> values = batches.stream().map(Map.Entry::getKey).toList();
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    StreamWriter writer =
        new StreamWriter(
            segment -> stream.write(segment.toArray(LittleEndian.INT8)), schema, Codec.ZSTD);
    for (Map.Entry<String, Integer> batch : batches) {
      try (Arena arena = Arena.ofConfined()) {
        List<String> column = Collections.nCopies(batch.getValue(), batch.getKey());
        List<String> first = Collections.nCopies(batch.getValue(), values.getFirst());
        writer.write(
            new ArrayBuilder(arena, Map.of(1L, values))
                .recordBatch(schema, column.size(), List.of(column, first)));
      }
    }
    writer.close();
    data.put(stream.toByteArray());
  }

  @Tag("long")
  @Test
  void rowsThatAreSmallOnlyAsTheyAreStoredFitTheMemoryOfAWorker() throws IOException {
    put(List.of(Map.entry("x", 100_000), Map.entry("y".repeat(10_000), 12_000)));
    try (Snapshot snapshot = data.open()) {
      assertThat(snapshot.summary().file().byteSize()).isLessThan(1 << 20);
      assertThat(snapshot.select(Selection.ALL).plainRowByteSize()).isBetween(15_000L, 15_100L);
      assertThat(snapshot.select(columns("plain")).plainRowByteSize()).isBetween(10_000L, 10_050L);
      assertThat(snapshot.select(columns("encoded")).plainRowByteSize()).isBetween(5_000L, 5_050L);
    }
    open("all", Selection.ALL, () -> true).close();
    open("plain", columns("plain"), () -> true).close();
  }

  @Tag("long")
  @Test
  void valuesOfADictionaryFitTheMemoryOfAWorker() throws IOException {
    put(List.of(Map.entry("z".repeat(10_000), 12_000)));
    open("encoded", columns("encoded"), () -> true).close();
    assertThat(files.writtenCount()).isOne();
  }

  private static Selection columns(String... names) {
    return new Selection(List.of(names), 0, Long.MAX_VALUE);
  }

  @Test
  void bytesDoNotDependOnThreads() throws IOException {
    data.put(Streams.inCodecs(70_000, Codec.NONE, Codec.ZSTD, Codec.LZ4, Codec.ZSTD));
    Map<String, Selection> selections =
        Map.of(
            "all",
            Selection.ALL,
            "window",
            new Selection(List.of(), 10, 200_000),
            "sample",
            new Selection(List.of(), 0, Long.MAX_VALUE, 130_000));
    Map<String, byte[]> first = new HashMap<>();
    for (Map.Entry<String, Selection> entry : selections.entrySet()) {
      first.put(entry.getKey(), bytes(entry.getKey(), entry.getValue()));
    }
    workers.close();
    start(4);
    for (Map.Entry<String, Selection> entry : selections.entrySet()) {
      assertThat(bytes(entry.getKey() + " again", entry.getValue()))
          .as(entry.getKey())
          .isEqualTo(first.get(entry.getKey()));
    }
    assertThat(files.writtenCount()).isEqualTo(3);
  }

  @Test
  void clientThatStaysGetsTheFileAlthoughTheFirstHasLeft() throws Exception {
    int[] batches = new int[200];
    Arrays.fill(batches, 100);
    data.put(Streams.table(Codec.NONE, batches));
    AtomicBoolean firstWaits = new AtomicBoolean(true);
    CountDownLatch firstAsks = new CountDownLatch(1);
    CountDownLatch secondAsks = new CountDownLatch(1);
    // The file is laid out once this worker is free.
    WorkerLease lease =
        WorkerLease.of(workers, TestWorkers.PRINCIPAL, new Limit("timeout", 60_000));
    try (ExecutorService clients = Executors.newFixedThreadPool(2)) {
      Future<KeptFile> first =
          clients.submit(() -> open("a", SAMPLE, () -> asked(firstAsks, firstWaits.get())));
      firstAsks.await();
      Future<KeptFile> second =
          clients.submit(() -> open("a", SAMPLE, () -> asked(secondAsks, true)));
      secondAsks.await();
      firstWaits.set(false);
      lease.close();
      try (KeptFile file = second.get();
          KeptFile _ = first.get()) {
        assertThat(file.byteSize()).isPositive();
      }
    }
    assertThat(files.writtenCount()).isOne();
    firstWaits.set(false);
    assertThatThrownBy(() -> open("b", SAMPLE, firstWaits::get))
        .isInstanceOf(CancelledException.class);
  }

  private static boolean asked(CountDownLatch asks, boolean wanted) {
    asks.countDown();
    return wanted;
  }

  @Test
  void requestIsSentAgainIfAFileHasMoved() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    StoredTable missing =
        new StoredTable(
            "t",
            1,
            8,
            8,
            true,
            List.of(new StoredTable.Extent(folder.resolve("absent").toString(), 0, 16)),
            /* counted= */ false,
            new int[] {0},
            /* predicate= */ null,
            /* leading= */ null,
            /* numbering= */ null,
            ByteString.EMPTY,
            /* microseconds= */ new int[0]);
    try (WorkerLease lease =
        WorkerLease.of(workers, TestWorkers.PRINCIPAL, new Limit("timeout", 60_000))) {
      lease.execute(() ->
          new RunRequest(
              "SELECT 1",
              List.of(),
              asked.getAndIncrement() == 0 ? List.of(missing) : List.of(),
              MemorySegment.NULL));
    }
    assertThat(asked).hasValue(2);
  }
}
