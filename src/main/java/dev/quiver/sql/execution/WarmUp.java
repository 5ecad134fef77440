package dev.quiver.sql.execution;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.arrow.ipc.FileWriter;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.statistics.Predicate;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.sql.worker.FrameChannel;
import dev.quiver.sql.worker.FrameType;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.sql.worker.PassedColumn;
import dev.quiver.sql.worker.RunRequest;
import dev.quiver.sql.worker.StoredTable;
import dev.quiver.sql.worker.StoredTable.Extent;
import dev.quiver.sql.worker.WorkerFrame;
import dev.quiver.store.blob.BlockChecksums;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Statements of the service that a worker runs before it has any principal. They load, link and
/// compile in it what usual statements need: a first statement takes ten times as long otherwise.
///
/// They read a table of the service alone, so nothing of a principal is left in the worker.
final class WarmUp {

  private static final String TABLE = "rows";

  /// The rows of the table. They are several vectors of the engine, and enough for loops over them
  /// to be compiled.
  private static final int ROW_COUNT = 8192;

  /// The bytes of its file that have one checksum: a file of this size has as many checksums as
  /// larger ones.
  private static final long BLOCK_BYTE_SIZE = 4 << 10;

  /// The rows of the table, with columns of the usual types.
  private static final String ROWS =
      "SELECT i AS a, 'text ' || i % 17 AS b, i / 7 AS c, DATE '2000-01-01' + i::INTEGER AS d,"
          + " TIMESTAMP '2000-01-01' + to_minutes(i) AS e, i % 3 = 0 AS f,"
          + " i::DECIMAL(18, 2) AS g, ('x' || i % 2)::ENUM('x0', 'x1') AS h, [i] AS i,"
          + " {'a': i} AS j, e::TIMESTAMPTZ AS k FROM range(%d) t(i)".formatted(ROW_COUNT);

  private static final String CONSTANT = "SELECT 1 AS n";

  private static final String COUNT = "SELECT count(*) FROM rows";

  private static final String GROUPS =
      "SELECT b, count(*) AS n, sum(c) AS s, max(d) AS m FROM rows GROUP BY b ORDER BY b";

  private static final String FILTER =
      "SELECT a, b, c, d, e, f, g, h, i, j, k FROM rows"
          + " WHERE a < $1 AND b LIKE $2 AND c < 0.5 LIMIT 10";

  private static final List<Parameter> PARAMETERS =
      List.of(
          new Parameter("", Parameter.Type.BIGINT, "5"),
          new Parameter("", Parameter.Type.VARCHAR, "text%"));

  /// The columns of [#FILTER] are those of the table.
  private static final List<PassedColumn> PASSED =
      IntStream.range(0, 11).mapToObj(i -> new PassedColumn(TABLE, i)).toList();

  /// A statement that fails.
  private static final String MISTAKE = "SELECT nothing FROM rows";

  private static final String JOIN =
      "SELECT x.b, count(*) AS n, avg(y.c) AS m FROM rows AS x JOIN rows AS y ON x.a = y.a + 1"
          + " WHERE x.f GROUP BY x.b ORDER BY n DESC, x.b LIMIT 5";

  private static final String NUMBERS =
      "SELECT a, row_number() OVER (PARTITION BY b ORDER BY a) AS n, lag(c) OVER (ORDER BY a) AS l"
          + " FROM rows WHERE a < 512 QUALIFY n <= 2 ORDER BY a LIMIT 20";

  private static final String TIMES =
      "SELECT date_trunc('month', e) AS m, round(avg(c), 2) AS r, sum(g) AS s,"
          + " count(DISTINCT b) AS n FROM rows WHERE e >= TIMESTAMP '2000-01-02' AND NOT f"
          + " GROUP BY ALL ORDER BY ALL";

  /// The conditions on the first two columns of [#FILTER].
  private static final Predicate CONDITIONS =
      new Predicate.Conjunction(
          List.of(
              new Predicate.Comparison(
                  List.of(0),
                  Predicate.Operator.LESS,
                  ByteString.of(new byte[] {5, 0, 0, 0, 0, 0, 0, 0})),
              new Predicate.Prefix(
                  List.of(1), ByteString.of("text".getBytes(StandardCharsets.UTF_8)))));

  private final FrameChannel channel;
  private final List<Step> steps;

  /// A statement with its tables.
  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }

  /// Writes the table.
  ///
  /// @param folder receives its files
  WarmUp(FrameChannel channel, Path folder) throws IOException {
    this.channel = channel;
    MemorySegment rows = run(ROWS, List.of(), List.of());
    MemorySegment plain = file(rows, folder, Codec.NONE);
    MemorySegment lz4 = file(rows, folder, Codec.LZ4);
    Path path = write(plain, folder.resolve("rows.arrow"));
    StoredTable table = table(plain, path, /* counted= */ false, null);
    StoredTable counted = table(plain, path, /* counted= */ true, null);
    StoredTable filtered = table(plain, path, /* counted= */ false, CONDITIONS);
    StoredTable compressed =
        table(lz4, write(lz4, folder.resolve("lz4.arrow")), /* counted= */ false, null);
    this.steps =
        List.of(
            () -> run(CONSTANT),
            () -> run(ROWS),
            () -> run(COUNT, counted),
            () -> run(GROUPS, compressed),
            () -> run(FILTER, PARAMETERS, PASSED, filtered),
            () -> run(JOIN, table),
            () -> run(NUMBERS, table),
            () -> run(TIMES, table),
            () -> run(MISTAKE, table));
  }

  /// Runs each statement once, as a client would, until the worker is wanted.
  void run(BooleanSupplier wanted) throws IOException {
    for (Step step : steps) {
      if (wanted.getAsBoolean()) {
        return;
      }
      step.run();
    }
  }

  private void run(String sql, StoredTable... tables) throws IOException {
    run(sql, List.of(), List.of(PassedColumn.COMPUTED), tables);
  }

  /// Parses and runs a statement, as a client would, and returns its result as an IPC stream.
  private MemorySegment run(
      String sql, List<Parameter> parameters, List<PassedColumn> passed, StoredTable... tables)
      throws IOException {
    channel.write(FrameType.PARSE, sql);
    require(FrameType.TREE, channel.read());
    channel.write(
        FrameType.RUN,
        new RunRequest(
            sql,
            /* threadCount= */ Integer.MAX_VALUE,
            parameters,
            List.of(tables),
            /* schema= */ MemorySegment.NULL,
            passed));
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    WorkerFrame frame = channel.read();
    while (!frame.type().isLast()) {
      if (frame.type() == FrameType.DATA) {
        result.writeBytes(frame.payload().toArray(ValueLayout.JAVA_BYTE));
      }
      frame = channel.read();
    }
    require(sql.equals(MISTAKE) ? FrameType.FAILED : FrameType.DONE, frame);
    return MemorySegment.ofArray(result.toByteArray());
  }

  private static void require(FrameType expected, WorkerFrame found) throws IOException {
    if (found.type() != expected) {
      throw WorkerLease.unexpected(found);
    }
  }

  private static MemorySegment file(MemorySegment stream, Path folder, Codec codec)
      throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (ResultBatches batches = ResultBatches.of(ByteSource.of(stream), folder)) {
      FileWriter writer =
          new FileWriter(
              part -> file.writeBytes(part.toArray(ValueLayout.JAVA_BYTE)),
              batches.schema(),
              codec);
      for (RecordBatch batch = batches.next(); batch != null; batch = batches.next()) {
        writer.write(batch);
      }
      writer.close(Metadata.EMPTY);
    }
    return MemorySegment.ofArray(file.toByteArray());
  }

  private static Path write(MemorySegment file, Path path) throws IOException {
    return Files.write(path, file.toArray(ValueLayout.JAVA_BYTE));
  }

  private static StoredTable table(
      MemorySegment file, Path path, boolean counted, @Nullable Predicate predicate) {
    long trailerOffset = file.byteSize() - Framing.FILE_TRAILER_BYTE_SIZE;
    int footerByteSize = LittleEndian.getInt32(file, trailerOffset);
    return new StoredTable(
        TABLE,
        ROW_COUNT,
        trailerOffset - footerByteSize,
        footerByteSize,
        /* validated= */ true,
        List.of(new Extent("", path.toString(), 0, file.byteSize(), checksums(file))),
        counted,
        /* batches= */ null,
        predicate,
        /* leading= */ null,
        /* numbering= */ null,
        ByteString.EMPTY,
        /* microseconds= */ new int[0]);
  }

  /// Returns checksums, which a worker compares before it reads stored data.
  private static BlockChecksums checksums(MemorySegment file) {
    BlockChecksums.Builder blocks = new BlockChecksums.Builder();
    for (long offset = 0; offset < file.byteSize(); offset += BLOCK_BYTE_SIZE) {
      int byteSize = Math.toIntExact(Math.min(BLOCK_BYTE_SIZE, file.byteSize() - offset));
      blocks.add(offset, byteSize, Crc32c.of(file.asSlice(offset, byteSize)));
    }
    return blocks.build();
  }
}
