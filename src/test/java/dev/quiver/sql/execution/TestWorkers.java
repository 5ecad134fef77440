package dev.quiver.sql.execution;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.formats.parquet.PageLimits;
import dev.quiver.sql.query.Query;
import dev.quiver.sql.query.ReadProgress;
import dev.quiver.sql.query.TestQueries;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Spool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Real workers of a test, and their results without the checks of the service.
public final class TestWorkers implements AutoCloseable {

  /// Shared by all tests, since it holds the unpacked library.
  static final Path SPOOL = Path.of("target/spool");

  /// The principal of statements in tests, with the permission to read everything.
  public static final Principal PRINCIPAL = Principal.anonymous(Permissions.ADMIN);

  private final SqlOptions options = options(Duration.ofSeconds(30));
  final Workers workers;

  public TestWorkers() {
    this(options(Duration.ofSeconds(30)).pool());
  }

  TestWorkers(WorkerPoolOptions pool) {
    workers = new Workers(library(), pool);
  }

  /// Returns workers with a spare one.
  static TestWorkers withSpare() {
    WorkerPoolOptions pool = options(Duration.ofSeconds(30)).pool();
    return new TestWorkers(
        new WorkerPoolOptions(
            pool.workers(),
            pool.queue(),
            pool.patience(),
            pool.timeout(),
            pool.memory(),
            pool.threadCount(),
            pool.readsFiles(),
            /* spare= */ true,
            pool.spoolFolder(),
            pool.spoolKey()));
  }

  public static EngineLibrary library() {
    return Objects.requireNonNull(
        EngineLibrary.of(System.getProperty("os.name"), System.getProperty("os.arch")));
  }

  public static SqlOptions options(Duration timeout) {
    return options(timeout, 1, 64 << 10, 1 << 20);
  }

  /// @param textByteSize the limit of a statement or a condition
  /// @param conditionByteSize the limit of what a condition may take
  public static SqlOptions options(
      Duration timeout, int threads, long textByteSize, long conditionByteSize) {
    return new SqlOptions(
        pool("", timeout, threads, /* readsFiles= */ false),
        pool("upload-", timeout, threads, /* readsFiles= */ false),
        pool("", timeout, threads, /* readsFiles= */ true),
        PageLimits.of(new Limit("quiver.files.page-bytes", 64L << 20)),
        new Limit("quiver.files.workbook-bytes", 64L << 20),
        new Limit("quiver.sql.result-bytes", 64L << 20),
        new Limit("quiver.sql.text-bytes", textByteSize),
        new Limit("quiver.sql.datasets", 2),
        new Limit("quiver.sql.catalog", 20),
        new Limit("quiver.where.timeout", timeout.toMillis()),
        new Limit("quiver.where.memory", conditionByteSize),
        new Limit("quiver.spool.bytes", 256L << 20));
  }

  private static WorkerPoolOptions pool(
      String prefix, Duration timeout, int threads, boolean readsFiles) {
    return new WorkerPoolOptions(
        new Limit("quiver.sql." + prefix + "workers", 2),
        new Limit("quiver.sql.queue", 1),
        Duration.ofSeconds(30),
        new Limit("quiver.sql." + prefix + "timeout", timeout.toMillis()),
        new Limit("quiver.sql.memory", 256L << 20),
        threads,
        readsFiles,
        /* spare= */ false,
        SPOOL,
        "quiver.spool.path");
  }

  public WorkerLease lease() throws IOException {
    return WorkerLease.of(workers, PRINCIPAL, options.pool().timeout());
  }

  /// Returns the syntax tree as the engine writes it.
  public String parse(String sql) throws IOException {
    try (WorkerLease lease = lease()) {
      return lease.parse(sql);
    }
  }

  public String engineVersion() throws IOException {
    try (WorkerLease lease = lease()) {
      return lease.engineVersion();
    }
  }

  /// Returns the rows of a statement, whatever it names.
  public List<List<@Nullable Object>> rows(String sql) throws IOException {
    Run run = new Run("", sql, List.of(), List.of(), false, null, null);
    Spool spool = new Spool(SPOOL, options.spooled());
    List<List<@Nullable Object>> rows = new ArrayList<>();
    try (WorkerLease lease = lease();
        ResultBuffer result = new ResultBuffer(spool, options.result())) {
      lease.run(run, run.request(), result, _ -> {});
      result.awaitStart(Duration.ZERO);
      try (ResultBatches batches = ResultBatches.of(result, SPOOL)) {
        for (RecordBatch batch = batches.next(); batch != null; batch = batches.next()) {
          List<List<@Nullable Object>> columns = batch.columns().stream().map(Values::of).toList();
          for (int row = 0; row < batch.length(); row++) {
            List<@Nullable Object> values = new ArrayList<>();
            for (List<@Nullable Object> column : columns) {
              values.add(column.get(row));
            }
            rows.add(values);
          }
        }
      }
    }
    return rows;
  }

  /// Returns the values of each column of a result.
  public static List<List<@Nullable Object>> columns(
      TestQueries queries, String sql, Parameter... parameters) throws IOException {
    try (Query query = queries.open(sql, PRINCIPAL)) {
      ResultBatches batches = query.run("", List.of(parameters), null, new ReadProgress());
      List<List<@Nullable Object>> columns = new ArrayList<>();
      for (RecordBatch batch = batches.next(); batch != null; batch = batches.next()) {
        for (int i = 0; i < batch.columns().size(); i++) {
          if (columns.size() == i) {
            columns.add(new ArrayList<>());
          }
          columns.get(i).addAll(Values.of(batch.columns().get(i)));
        }
      }
      return columns;
    }
  }

  @Override
  public void close() {
    workers.close();
  }
}
