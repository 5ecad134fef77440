package dev.quiver.sql.query;

import static dev.quiver.Eventually.eventually;
import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DateUnit;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Precision;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.TimeUnit;
import dev.quiver.formats.AppendedDataset;
import dev.quiver.formats.FileParameters;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.Format;
import dev.quiver.formats.UploadData;
import dev.quiver.formats.parquet.PageLimits;
import dev.quiver.sql.engine.FileEngine;
import dev.quiver.sql.execution.ResultBatches;
import dev.quiver.sql.execution.SqlException;
import dev.quiver.sql.execution.TestWorkers;
import dev.quiver.sql.execution.WorkerPoolOptions;
import dev.quiver.sql.execution.WorkerPools;
import dev.quiver.sql.execution.Workers;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Files that the service and real workers read.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ForeignFilesTest {

  private static final String CSV = "id,name,id\n1,a,2\n3,,4\n";

  @TempDir private static Path folder;
  private Spool spool;
  private Workers workers;
  private ForeignFiles files;
  private WorkerPoolOptions options;

  @BeforeAll
  void start() throws IOException {
    // The library is unpacked once for all tests.
    Files.createSymbolicLink(
        folder.resolve("engine"),
        Files.createDirectories(Path.of("target/spool/engine")).toRealPath());
    open(Duration.ofSeconds(30), 64 << 20);
  }

  private void open(Duration timeout, long spoolByteSize) {
    options =
        new WorkerPoolOptions(
            new Limit("quiver.files.workers", 1),
            new Limit("quiver.files.queue", 1),
            Duration.ZERO,
            new Limit("quiver.files.timeout", timeout.toMillis()),
            new Limit("quiver.files.memory", 128L << 20),
            2,
            /* readsFiles= */ true,
            /* spare= */ false,
            folder,
            "quiver.spool.path");
    spool = new Spool(folder, new Limit("quiver.spool.bytes", spoolByteSize));
    workers = new Workers(TestWorkers.library(), options);
    files =
        new ForeignFiles(
            workers,
            options,
            PageLimits.of(new Limit("quiver.files.page-bytes", 1 << 20)),
            new Limit("quiver.files.workbook-bytes", 300L << 20),
            spool,
            new InFlightBytes(new Limit("bytes", 64 << 20)));
  }

  /// Starts again with the usual limits, for the tests that follow.
  private void reopen() {
    close();
    open(Duration.ofSeconds(30), 64 << 20);
  }

  @AfterAll
  void close() {
    workers.close();
    spool.close();
  }

  private static ByteSource source(String text) {
    return ByteSource.of(MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8)));
  }

  private ForeignRows open(String text, Format format) throws IOException {
    return files.read(
        source(text),
        FileOptions.parse(format, Map.of()),
        Limits.DEFAULT,
        Principal.SERVICE,
        ForeignFiles.Target.NONE);
  }

  private List<List<@Nullable Object>> columns(String text, Format format) throws IOException {
    try (ForeignRows rows = open(text, format)) {
      ByteSource stream = RowsAsStream.of(rows);
      ResultBatches batches = ResultBatches.of(stream, folder);
      List<List<@Nullable Object>> columns = new ArrayList<>();
      for (RecordBatch batch = batches.next(); batch != null; batch = batches.next()) {
        for (int i = 0; i < batch.columns().size(); i++) {
          if (columns.size() == i) {
            columns.add(new ArrayList<>());
          }
          columns.get(i).addAll(Values.of(batch.columns().get(i)));
        }
      }
      batches.close();
      // The worker says that it is done after the end of the stream.
      assertThat(stream.read(MemorySegment.ofArray(new byte[1]))).isEqualTo(-1);
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
    assertThat(files.readCount()).isZero();
  }

  @Test
  void columnsKeepTheirNamesAndGetTypes() throws IOException {
    try (ForeignRows rows = open(CSV, Format.CSV)) {
      assertThat(rows.schema().fields().stream().map(Field::toString))
          .containsExactly("id: int64", "name: utf8", "id: int64");
      assertThat(rows.warnings()).isEmpty();
      assertThat(spooled()).hasSize(1);
      assertThat(spool.taken()).isEqualTo(CSV.length());
    }
    assertNothingLeft();
    List<@Nullable Object> names = new ArrayList<>(List.of("a"));
    names.add(null);
    assertThat(columns(CSV, Format.CSV))
        .isEqualTo(List.of(List.of(1L, 3L), names, List.of(2L, 4L)));
  }

  @Test
  void invalidFileIsToldAndTheNextOneIsRead() throws IOException {
    String late = "a\n" + "1\n".repeat(100_000) + "x\n";
    assertThatThrownBy(() -> columns(late, Format.CSV))
        .isInstanceOfSatisfying(
            ForeignDataException.class,
            failure -> {
              assertThat(failure.column()).isEqualTo("a");
              assertThat(failure.value()).isEqualTo("x");
              assertThat(failure).hasMessageContaining("at line 100002");
            });
    assertThatThrownBy(() -> columns("a,b\n1,2\n3\n", Format.CSV))
        .isInstanceOfSatisfying(
            ForeignDataException.class, failure -> assertThat(failure.line()).isEqualTo(3));
    String open = "a,b\n" + "1,2\n".repeat(100_000) + "1,\"";
    assertThatThrownBy(() -> columns(open, Format.CSV))
        .isInstanceOfSatisfying(
            ForeignDataException.class, failure -> assertThat(failure.column()).isNull());
    assertThatThrownBy(() -> columns("PAR1", Format.PARQUET))
        .isInstanceOf(ForeignDataException.class);
    assertThatThrownBy(() -> columns("{\"a\": 1}\n{\"a\": ", Format.JSON_LINES))
        .isInstanceOf(ForeignDataException.class);
    assertNothingLeft();
    assertThat(columns(CSV, Format.CSV)).hasSize(3);
    assertThat(columns("{\"a\": 1}", Format.JSON_LINES)).hasSize(1);
    assertThat(workers.startedCount()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"100, 100", "101, 101", "150, 101"})
  void warningsHaveANumber(int columns, int expected) throws IOException {
    String names = IntStream.range(0, columns).mapToObj(i -> "c" + i).collect(joining(","));
    String numbers = String.join(",", Collections.nCopies(columns, "1")) + "\n";
    String text = names + "\n" + numbers.repeat(3) + numbers.replace('1', 'x');
    try (ForeignRows rows = open(text, Format.CSV)) {
      assertThat(rows.warnings()).hasSize(expected);
      assertThat(rows.warnings().getLast())
          .startsWith(columns == 100 ? "Column c99 is text" : "Expected at most 100 warnings");
    }
  }

  @Test
  void filesNeedNoWorkers() throws IOException {
    Path file = folder.resolve("rows.parquet");
    try (FileEngine engine = new FileEngine(folder)) {
      engine.rows("COPY (SELECT 1::BIGINT AS a) TO '%s' (FORMAT parquet)".formatted(file));
    }
    files =
        new ForeignFiles(
            WorkerPools.unavailable(TestWorkers.options(Duration.ZERO), "no library").files(),
            options,
            PageLimits.of(new Limit("quiver.files.page-bytes", 1 << 20)),
            new Limit("quiver.files.workbook-bytes", 300L << 20),
            spool,
            new InFlightBytes(new Limit("bytes", 64 << 20)));
    assertThat(columns("a\n1\n", Format.CSV)).isEqualTo(List.of(List.of(1L)));
    ByteSource body = ByteSource.of(MemorySegment.ofArray(Files.readAllBytes(file)));
    Files.delete(file);
    try (ForeignRows rows = read(body, Format.PARQUET);
        ResultBatches batches = ResultBatches.of(RowsAsStream.of(rows), folder)) {
      assertThat(rows.rowCount()).isOne();
      assertThat(batches.all()).hasSize(1);
    }
    assertThat(columns("{\"a\":1}", Format.JSON)).isEqualTo(List.of(List.of(1L)));
    assertThat(spooled()).isEmpty();
    reopen();
  }

  @Test
  void ignoresTheByteOrderMark() throws IOException {
    assertThat(columns("\uFEFF[{\"a\": 1}]", Format.JSON)).isEqualTo(List.of(List.of(1L)));
    assertThat(columns("\uFEFFa\n1\n", Format.CSV)).isEqualTo(List.of(List.of(1L)));
  }

  @Test
  void arrayMustEndHoweverManyBlanksAreAroundIt() throws IOException {
    String blanks = " \r\n\t".repeat(2_500);
    assertThat(columns(blanks + "[{\"a\": 1}]" + blanks, Format.JSON))
        .isEqualTo(List.of(List.of(1L)));
    for (String cut : List.of("[{\"a\": 1},", "[{\"a\": 1}")) {
      assertThatThrownBy(() -> open(blanks + cut + blanks, Format.JSON).close())
          .isInstanceOf(ForeignDataException.class)
          .hasMessageContaining("but found the end of the file");
    }
  }

  @Test
  void reportsAValueThatNoStatementHolds() {
    String late = "a\n" + "1\n".repeat(100_000) + "x\0y\n";
    assertThatThrownBy(() -> columns(late, Format.CSV)).isInstanceOf(ForeignDataException.class);
    assertNothingLeft();
  }

  @Test
  void rowsThatAreReadHoldNoTurn() throws IOException {
    try (ForeignRows rows = open(CSV, Format.CSV)) {
      readToEnd(RowsAsStream.of(rows));
      assertNothingLeft();
      assertThat(columns(CSV, Format.CSV)).hasSize(3);
    }
    assertNothingLeft();
  }

  @Test
  void readerThatStopsLeavesNothingBehind() throws IOException {
    String large = "a\n" + "12345\n".repeat(2_000_000);
    try (ForeignRows rows = open(large, Format.CSV)) {
      assertThat(RowsAsStream.of(rows).read(MemorySegment.ofArray(new byte[1000]))).isPositive();
    }
    assertNothingLeft();
    assertThat(columns(CSV, Format.CSV)).hasSize(3);
  }

  private static String text(Format format) {
    return format == Format.CSV ? CSV : "{\"a\": 1}\n{\"a\": 2}\n";
  }

  @ParameterizedTest
  @EnumSource(
      value = Format.class,
      names = {"CSV", "JSON_LINES"})
  void filesBeyondTheQueueAreTurnedAway(Format format) throws Exception {
    AtomicBoolean wanted = new AtomicBoolean(true);
    CompletableFuture<@Nullable Throwable> waiting = new CompletableFuture<>();
    String text = text(format);
    try (ForeignRows _ = open(text, format)) {
      Thread.ofVirtual()
          .start(() ->
              waiting.complete(
                  catchThrowable(() ->
                      Cancellation.when(() -> !wanted.get())
                          .call(() -> read(source(text), format)))));
      eventually(() -> assertThat(files.waitingCount()).isOne());
      assertThatThrownBy(() -> open(text, format))
          .isInstanceOf(OverloadedException.class)
          .hasMessageContaining("quiver.files.workers, quiver.files.queue");
      wanted.set(false);
      assertThat(waiting.get()).isInstanceOf(CancelledException.class);
    }
    assertNothingLeft();
    assertThat(columns(text, format)).isNotEmpty();
  }

  @Test
  void filesThatArriveSlowlyKeepNoneWaiting() throws IOException {
    // There are two places.
    slow(4).close();
    assertNothingLeft();
  }

  /// Reads a file during whose arrival another one is received and read, and so on.
  private ForeignRows slow(int depth) throws IOException {
    ByteSource body = source(CSV);
    AtomicBoolean begun = new AtomicBoolean(depth == 0);
    return read(
        destination -> {
          if (!begun.getAndSet(true)) {
            slow(depth - 1).close();
          }
          return body.read(destination);
        },
        Format.CSV);
  }

  private ForeignRows read(ByteSource body, Format format) throws IOException {
    return files.read(
        body,
        FileOptions.parse(format, Map.of()),
        Limits.DEFAULT,
        Principal.SERVICE,
        ForeignFiles.Target.NONE);
  }

  @Test
  void clientThatLeavesEndsTheReading() throws IOException {
    assertThatThrownBy(() ->
            Cancellation.when(ForeignFilesTest::isScanning)
                .call(() -> read(source(CSV), Format.CSV)))
        .isInstanceOf(CancelledException.class);
    assertNothingLeft();
  }

  @Test
  void clientThatLeavesBetweenBatchesEndsTheReading() throws IOException {
    AtomicBoolean left = new AtomicBoolean();
    try (ForeignRows rows =
        Cancellation.when(left::get).call(() -> read(source(sparse(1_500)), Format.JSON_LINES))) {
      UploadData.Batches batches = (UploadData.Batches) rows.data();
      MemorySegment destination = MemorySegment.ofArray(new byte[64 << 10]);
      assertThat(batches.stream().read(destination)).isPositive();
      left.set(true);
      assertThatThrownBy(
              () -> {
                while (batches.stream().read(destination) >= 0) {
                  // To the end of the batches that were read.
                }
              })
          .isInstanceOf(CancelledException.class);
    }
    assertNothingLeft();
  }

  /// Records that each have a key of their own.
  private static String sparse(int count) {
    return IntStream.range(0, count).mapToObj("{\"k%d\":1}\n"::formatted).collect(joining());
  }

  @Test
  void nullsBeyondTheRatioAreRejectedBeforeTheyTakeMemory() throws IOException {
    assertThatThrownBy(() -> read(source(sparse(20_000)), Format.JSON_LINES))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("decompression-ratio");
    assertNothingLeft();
  }

  private static boolean isScanning() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(frame -> frame.getClassName().endsWith("CsvScanner")));
  }

  @ParameterizedTest
  @EnumSource(
      value = Format.class,
      names = {"CSV", "JSON_LINES"})
  void clientThatLeavesWhileItWaitsEndsTheWait(Format format) throws IOException {
    String text = text(format);
    try (ForeignRows _ = open(text, format)) {
      assertThatThrownBy(() -> Cancellation.when(() -> true).call(() -> read(source(text), format)))
          .isInstanceOf(CancelledException.class);
      assertThat(spooled()).hasSize(1);
    }
    assertNothingLeft();
  }

  private static final ArrowType INT64 = new ArrowType.Int(64, true);
  private static final ArrowType UTF8 = new ArrowType.Utf8();

  private static Field field(String name, ArrowType type, Field... children) {
    return Field.of(name, true, type, children);
  }

  /// Columns whose types no file of text tells.
  private static final Schema DATASET =
      Schema.of(
          field("x", new ArrowType.FloatingPoint(Precision.DOUBLE)),
          field("small", new ArrowType.Int(8, false)),
          field("half", new ArrowType.FloatingPoint(Precision.HALF)),
          field("price", new ArrowType.Decimal(9, 2, 32)),
          field("code", UTF8)
              .withDictionary(new DictionaryEncoding(7, new ArrowType.Int(8, true), false)),
          field("when", new ArrowType.Timestamp(TimeUnit.NANOSECOND, "Europe/Berlin")),
          field("second", new ArrowType.Timestamp(TimeUnit.SECOND, null)),
          field("time", new ArrowType.Time(TimeUnit.NANOSECOND, 64)),
          field("day", new ArrowType.Date(DateUnit.MILLISECOND)),
          field("bytes", new ArrowType.FixedSizeBinary(2)));

  /// The same values as a CSV row and as JSON.
  private static final String ROW =
      "1,7,0.1,3.50,012,2024-02-29T12:00:00.000000001+01:00,2024-01-01T00:00:00,12:00:00.000000001,"
          + "2024-02-29,AQI=";

  private static final List<@Nullable Object> VALUES =
      List.of(
          1.0,
          7,
          0.0999755859375,
          // Without its scale.
          350,
          "012",
          1_709_204_400_000_000_001L,
          1_704_067_200L,
          43_200_000_000_001L,
          1_709_164_800_000L,
          ByteString.of(new byte[] {1, 2}));

  private ForeignRows open(String text, Format format, Schema dataset) throws IOException {
    return files.read(
        source(text),
        FileOptions.parse(format, Map.of()),
        Limits.DEFAULT,
        Principal.SERVICE,
        () -> new AppendedDataset(dataset, FileParameters.NONE));
  }

  private static void discard(ForeignRows rows) throws IOException {
    try (rows) {
      readToEnd(RowsAsStream.of(rows));
    }
  }

  private static void readToEnd(ByteSource stream) throws IOException {
    MemorySegment end = MemorySegment.ofArray(new byte[1]);
    while (stream.read(end) >= 0) {
      // Discarded.
    }
  }

  /// Values that their texts tell, and the dataset's unit does not hold. The first row is told.
  @Test
  void reportsAnAppendedValueThatDoesNotCast() {
    ArrowType seconds = new ArrowType.Timestamp(TimeUnit.SECOND, null);
    Schema dataset = Schema.of(field("t", seconds), field("u", seconds));
    String rows = "2024-01-01,2024-01-01\n".repeat(500);
    String text =
        "t,u\n" + rows + "2024-01-01,2024-01-01T00:00:00.5\n2024-01-01T00:00:00.25,\n" + rows;
    assertThatThrownBy(() -> discard(open(text, Format.CSV, dataset)))
        .isInstanceOf(ForeignDataException.class)
        .hasMessage(
            "Expected timestamp[s] but found \"2024-01-01T00:00:00.5\" at line 502, column u");
    assertNothingLeft();
  }

  /// Rows of a wide type are few at a time, however short their text is.
  @Test
  void wideTypesTakeNoMoreMemoryThanTheirText() throws IOException {
    Schema dataset =
        Schema.of(field("w", new ArrowType.FixedSizeBinary(1_000_000)), field("a", INT64));
    try (ForeignRows rows = open("w,a\n" + ",1\n".repeat(100), Format.CSV, dataset);
        ResultBatches batches = ResultBatches.of(RowsAsStream.of(rows), folder)) {
      for (RecordBatch batch = batches.next(); batch != null; batch = batches.next()) {
        assertThat(batch.length()).isLessThanOrEqualTo(16);
      }
    }
    assertNothingLeft();
  }

  private static String header() {
    return String.join(",", DATASET.fields().stream().map(Field::name).toList());
  }

  private static String json() {
    String[] values = ROW.split(",");
    StringJoiner members = new StringJoiner(", ", "{", "}");
    // The order of members is not that of the columns.
    for (int i = values.length - 1; i >= 0; i--) {
      String value = i < 4 ? values[i] : '"' + values[i] + '"';
      members.add("\"%s\": %s".formatted(DATASET.fields().get(i).name(), value));
    }
    return members.toString();
  }

  @Test
  void appendedTextHasTheTypesOfTheDataset() throws IOException {
    for (Map.Entry<Format, String> file :
        Map.of(
                Format.CSV, header() + "\n" + ROW + "\n",
                Format.TSV, (header() + "\n" + ROW + "\n").replace(',', '\t'),
                Format.JSON_LINES, json() + "\n",
                Format.JSON, "[" + json() + "]")
            .entrySet()) {
      try (ForeignRows rows = open(file.getValue(), file.getKey(), DATASET);
          ResultBatches batches = ResultBatches.of(RowsAsStream.of(rows), folder)) {
        assertThat(rows.schema().fields().stream().map(Field::describeType))
            .as(file.getKey().name())
            .isEqualTo(DATASET.fields().stream().map(Field::describeType).toList());
        RecordBatch batch = requireNonNull(batches.next());
        assertThat(batch.columns().stream().map(column -> Values.of(column).getFirst()).toList())
            .as(file.getKey().name())
            .asString()
            .isEqualTo(VALUES.toString());
        assertThat(rows.warnings()).isEmpty();
      }
    }
    assertNothingLeft();
  }

  @Test
  void nestedJsonHasTheTypesOfTheDataset() throws IOException {
    ArrowType struct = new ArrowType.Struct();
    Field item = field("item", new ArrowType.FloatingPoint(Precision.SINGLE));
    Schema dataset =
        Schema.of(
            field("p", struct, field("x", item.type()), field("name", new ArrowType.LargeUtf8())),
            field("l", new ArrowType.FixedSizeList(2), item));
    String fits = "{\"p\": {\"name\": null, \"x\": 1}, \"l\": [1, 2]}\n";
    try (ForeignRows rows = open(fits, Format.JSON_LINES, dataset)) {
      assertThat(rows.schema()).isEqualTo(dataset);
    }
    // A field that the dataset lacks would be lost, so the column keeps the type of the file.
    String more = "{\"p\": {\"name\": null, \"x\": 1, \"y\": 2}, \"l\": [1.5, 2]}\n";
    try (ForeignRows rows = open(more, Format.JSON_LINES, dataset)) {
      assertThat(rows.schema().fields().getFirst().children()).hasSize(3);
      assertThat(rows.schema().fields().getLast()).isEqualTo(dataset.fields().getLast());
    }
    assertNothingLeft();
  }

  @Test
  void reportsAnAppendedValueThatDoesNotConvert() {
    Schema dataset = Schema.of(field("n", INT64), field("b", new ArrowType.Bool()));
    for (String value : List.of("1.5", "\"x\"", "1e-3")) {
      String text = value.replace("\"", "");
      assertThatThrownBy(() -> discard(open("n,b\n1,\n" + text + ",\n", Format.CSV, dataset)))
          .isInstanceOfSatisfying(
              ForeignDataException.class,
              failure -> {
                assertThat(failure.column()).isEqualTo("n");
                assertThat(failure.value()).isEqualTo(text);
                assertThat(failure).hasMessageContaining("Expected int64 but found");
                assertThat(failure).hasMessageContaining("at line 3");
              });
    }
    assertThatThrownBy(() ->
            discard(open("{\"n\": 1}\n{\"n\": 1.5, \"b\": true}", Format.JSON_LINES, dataset)))
        .isInstanceOf(ForeignDataException.class)
        .hasMessage("Expected int64 but found \"1.5\" at line 2, column n");
    assertThatThrownBy(() -> discard(open("{\"n\": 1, \"b\": 5}", Format.JSON_LINES, dataset)))
        .isInstanceOf(ForeignDataException.class)
        .hasMessageContaining("Expected bool but found \"5\" at line 1, column b");
  }

  @Test
  void statedTypePrecedesTheDatasetsType() throws IOException {
    Schema dataset = Schema.of(field("n", INT64));
    try (ForeignRows rows =
        files.read(
            source("n\n1\n"),
            FileOptions.parse(Format.CSV, Map.of("csv.types", List.of("n:utf8"))),
            Limits.DEFAULT,
            Principal.SERVICE,
            () -> new AppendedDataset(dataset, FileParameters.NONE))) {
      assertThat(rows.schema().fields()).containsExactly(field("n", UTF8));
    }
  }

  @Test
  void spoolHoldsAsManyBytesAsItsLimit() throws IOException {
    close();
    open(Duration.ofSeconds(30), CSV.length());
    assertThat(columns(CSV, Format.CSV)).hasSize(3);
    assertThatThrownBy(() -> columns(CSV + "5,,6\n", Format.CSV))
        .isInstanceOf(TooLargeInputException.class)
        .hasMessageContaining("quiver.spool.bytes");
    assertNothingLeft();
    try (ForeignRows _ = open(CSV, Format.CSV)) {
      assertThatThrownBy(() -> open(CSV, Format.CSV))
          .isInstanceOf(OverloadedException.class)
          .hasMessageContaining("quiver.spool.bytes");
    }
    assertNothingLeft();
    reopen();
  }

  @Test
  void fileThatTakesTooLongEnds() throws IOException {
    close();
    open(Duration.ofMillis(1), 64 << 20);
    String large = "a\n" + "12345\n".repeat(2_000_000);
    assertThatThrownBy(() -> columns(large, Format.CSV))
        .isInstanceOf(SqlException.Timeout.class)
        .hasMessageContaining("quiver.files.timeout");
    assertNothingLeft();
    reopen();
  }
}
