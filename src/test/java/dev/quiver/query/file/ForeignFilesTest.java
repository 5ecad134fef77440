package dev.quiver.query.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.columnar.Field;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Values;
import dev.quiver.foreign.ForeignDataException;
import dev.quiver.foreign.ForeignFormat;
import dev.quiver.input.Limit;
import dev.quiver.input.Limits;
import dev.quiver.input.OverloadedException;
import dev.quiver.input.TooLargeInputException;
import dev.quiver.memory.ByteSource;
import dev.quiver.query.execution.ResultBatches;
import dev.quiver.query.execution.Spool;
import dev.quiver.query.execution.SqlException;
import dev.quiver.query.execution.TestWorkers;
import dev.quiver.query.execution.WorkerPoolOptions;
import dev.quiver.query.execution.Workers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that real workers read.
class ForeignFilesTest {

  private static final String CSV = "id,name,id\n1,a,2\n3,,4\n";

  @TempDir private Path folder;
  private Spool spool;
  private Workers workers;
  private ForeignFiles files;

  @BeforeEach
  void start() throws IOException {
    // The library is unpacked once for all tests.
    Files.createSymbolicLink(
        folder.resolve("engine"),
        Files.createDirectories(Path.of("target/spool/engine")).toRealPath());
    open(Duration.ofSeconds(30), 64 << 20);
  }

  private void open(Duration timeout, long spoolByteSize) {
    WorkerPoolOptions options =
        new WorkerPoolOptions(
            new Limit("quiver.files.workers", 1),
            new Limit("quiver.files.queue", 1),
            Duration.ZERO,
            new Limit("quiver.files.timeout", timeout.toMillis()),
            new Limit("quiver.files.memory", 128L << 20),
            2,
            /* readsFiles= */ true,
            folder);
    spool = new Spool(folder, new Limit("quiver.spool.bytes", spoolByteSize));
    workers = new Workers(TestWorkers.library(), options);
    files = new ForeignFiles(workers, options, spool, "");
  }

  @AfterEach
  void close() {
    workers.close();
    spool.close();
  }

  private static ByteSource source(String text) {
    return ByteSource.of(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
  }

  private ForeignRows open(String text, ForeignFormat format) throws IOException {
    return files.read(
        source(text), FileOptions.parse(format, Map.of()), Limits.DEFAULT, () -> true);
  }

  private List<List<@Nullable Object>> columns(String text, ForeignFormat format)
      throws IOException {
    try (ForeignRows rows = open(text, format);
        ResultBatches batches = ResultBatches.of(rows, folder)) {
      List<List<@Nullable Object>> columns = new ArrayList<>();
      for (RecordBatch batch = batches.next(); batch != null; batch = batches.next()) {
        for (int i = 0; i < batch.columns().size(); i++) {
          if (columns.size() == i) {
            columns.add(new ArrayList<>());
          }
          columns.get(i).addAll(Values.of(batch.columns().get(i)));
        }
      }
      assertThat(rows.read(MemorySegment.ofArray(new byte[1]))).isEqualTo(-1);
      return columns;
    }
  }

  /// Returns the files that are received or read.
  private List<Path> spooled() {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(path -> path.getFileName().toString().startsWith("file-")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void assertNothingLeft() {
    assertThat(spooled()).isEmpty();
    assertThat(spool.taken()).isZero();
    assertThat(workers.busyCount()).isZero();
  }

  @Test
  void columnsKeepTheirNamesAndGetTypes() throws IOException {
    try (ForeignRows rows = open(CSV, ForeignFormat.CSV)) {
      assertThat(rows.schema().fields().stream().map(Field::toString))
          .containsExactly("id: int64", "name: utf8", "id: int64");
      assertThat(rows.warnings()).isEmpty();
      assertThat(spooled()).hasSize(1);
      assertThat(spool.taken()).isEqualTo(CSV.length());
    }
    assertNothingLeft();
    List<@Nullable Object> names = new ArrayList<>(List.of("a"));
    names.add(null);
    assertThat(columns(CSV, ForeignFormat.CSV))
        .isEqualTo(List.of(List.of(1L, 3L), names, List.of(2L, 4L)));
  }

  @Test
  void oneWorkerReadsFileAfterFile() throws IOException {
    for (int i = 0; i < 5; i++) {
      assertThat(columns("{\"a\": %d}\n{\"a\": 2}\n".formatted(i), ForeignFormat.JSON_LINES))
          .isEqualTo(List.of(List.of((long) i, 2L)));
      assertThat(columns("a\tb\n1\tx\n", ForeignFormat.TSV))
          .isEqualTo(List.of(List.of(1L), List.of("x")));
    }
    assertThat(workers.startedCount()).isOne();
    assertNothingLeft();
  }

  @Test
  void invalidFileIsToldAndLeavesTheWorkerUsable() throws IOException {
    String late = "a\n" + "1\n".repeat(100_000) + "x\n";
    assertThatThrownBy(() -> columns(late, ForeignFormat.CSV))
        .isInstanceOfSatisfying(
            ForeignDataException.class,
            failure -> {
              assertThat(failure.column()).isEqualTo("a");
              assertThat(failure.value()).isEqualTo("x");
              assertThat(failure).hasMessageContaining("100,001");
            });
    assertThatThrownBy(() -> columns("a,b\n1,2\n3\n", ForeignFormat.CSV))
        .isInstanceOfSatisfying(
            ForeignDataException.class, failure -> assertThat(failure.line()).isEqualTo(3));
    assertThatThrownBy(() -> columns("PAR1", ForeignFormat.PARQUET))
        .isInstanceOf(ForeignDataException.class);
    assertNothingLeft();
    assertThat(columns(CSV, ForeignFormat.CSV)).hasSize(3);
    assertThat(workers.startedCount()).isOne();
  }

  @Test
  void byteOrderMarkIsNoValue() throws IOException {
    assertThat(columns("\uFEFF[{\"a\": 1}]", ForeignFormat.JSON)).isEqualTo(List.of(List.of(1L)));
    assertThat(columns("\uFEFFa\n1\n", ForeignFormat.CSV)).isEqualTo(List.of(List.of(1L)));
  }

  @Test
  void valueThatNoStatementHoldsIsTold() {
    String late = "a\n" + "1\n".repeat(100_000) + "x\0y\n";
    assertThatThrownBy(() -> columns(late, ForeignFormat.CSV))
        .isInstanceOf(ForeignDataException.class);
    assertNothingLeft();
  }

  @Test
  void rowsThatAreReadHoldNoWorker() throws IOException {
    try (ForeignRows rows = open(CSV, ForeignFormat.CSV)) {
      MemorySegment buffer = MemorySegment.ofArray(new byte[1000]);
      while (rows.read(buffer) >= 0) {
        // Discarded.
      }
      assertNothingLeft();
      assertThat(columns(CSV, ForeignFormat.CSV)).hasSize(3);
    }
    assertNothingLeft();
  }

  @Test
  void readerThatStopsLeavesNothingBehind() throws IOException {
    String large = "a\n" + "12345\n".repeat(2_000_000);
    try (ForeignRows rows = open(large, ForeignFormat.CSV)) {
      assertThat(rows.read(MemorySegment.ofArray(new byte[100]))).isPositive();
    }
    assertNothingLeft();
    assertThat(columns(CSV, ForeignFormat.CSV)).hasSize(3);
  }

  @Test
  void filesBeyondTheQueueAreTurnedAway() throws IOException {
    try (ForeignRows _ = open(CSV, ForeignFormat.CSV)) {
      ByteSource waiting =
          destination -> {
            // The second file has its place while it is received.
            assertThatThrownBy(() -> open(CSV, ForeignFormat.CSV))
                .isInstanceOf(OverloadedException.class)
                .hasMessageContaining("quiver.files.workers, quiver.files.queue");
            throw new IOException("ended");
          };
      assertThatThrownBy(() ->
              files.read(
                  waiting,
                  FileOptions.parse(ForeignFormat.CSV, Map.of()),
                  Limits.DEFAULT,
                  () -> true))
          .hasMessage("ended");
    }
    assertNothingLeft();
    assertThat(columns(CSV, ForeignFormat.CSV)).hasSize(3);
  }

  @Test
  void clientThatLeavesWhileItWaitsForAWorkerEndsTheWait() throws IOException {
    try (ForeignRows _ = open(CSV, ForeignFormat.CSV)) {
      assertThatThrownBy(() ->
              files.read(
                  source(CSV),
                  FileOptions.parse(ForeignFormat.CSV, Map.of()),
                  Limits.DEFAULT,
                  () -> false))
          .isInstanceOf(SqlException.Cancelled.class);
      assertThat(spooled()).hasSize(1);
    }
    assertNothingLeft();
  }

  @Test
  void spoolHoldsAsManyBytesAsItsLimit() throws IOException {
    close();
    open(Duration.ofSeconds(30), CSV.length());
    assertThat(columns(CSV, ForeignFormat.CSV)).hasSize(3);
    assertThatThrownBy(() -> columns(CSV + "5,,6\n", ForeignFormat.CSV))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("quiver.spool.bytes");
    assertNothingLeft();
    try (ForeignRows _ = open(CSV, ForeignFormat.CSV)) {
      assertThatThrownBy(() -> open(CSV, ForeignFormat.CSV))
          .isInstanceOf(OverloadedException.class)
          .hasMessageContaining("quiver.spool.bytes");
    }
    assertNothingLeft();
  }

  @Test
  void fileThatTakesTooLongEnds() throws IOException {
    close();
    open(Duration.ofMillis(1), 64 << 20);
    String large = "a\n" + "12345\n".repeat(2_000_000);
    assertThatThrownBy(() -> columns(large, ForeignFormat.CSV))
        .isInstanceOf(SqlException.Timeout.class)
        .hasMessageContaining("quiver.files.timeout");
    assertNothingLeft();
  }
}
