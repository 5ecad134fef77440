package dev.quiver.sql.execution;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.Predicate;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.worker.FrameType;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.sql.worker.PassedColumn;
import dev.quiver.sql.worker.WorkerFrame;
import dev.quiver.store.DatasetTestFolder;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class WarmUpTest {

  private static final Schema SCHEMA =
      Schema.of(
          Field.of("id", false, new ArrowType.Int(64, true)),
          Field.of("name", true, new ArrowType.Utf8()));

  @TempDir private Path folder;

  private WorkerProcess worker(Path log) throws IOException {
    Path library = PrivateFolder.create(TestWorkers.SPOOL.resolve("engine"));
    return WorkerProcess.start(
        new WorkerCommand(
            TestWorkers.library().unpack(library),
            TestWorkers.options(Duration.ofSeconds(30)).pool(),
            /* memoryIsLimited= */ false,
            WorkerCommand.classPath(System.getProperty("java.class.path")),
            List.of("-Xlog:class+load:file=" + log)),
        _ -> {});
  }

  /// A class beyond those of the JVM's archive makes a worker open its jar or the modules of the
  /// JDK, which takes as long as a small statement.
  @Test
  void firstStatementsOfClientsLoadNoFurtherClasses() throws IOException {
    Path log = folder.resolve("classes.log");
    DatasetTestFolder data = new DatasetTestFolder(folder.resolve("store"));
    DatasetTestFolder.put(
        data.datasets, "data", SCHEMA, 2, List.of(List.of(1L, 2L), List.of("one", "two")));
    try (WorkerProcess worker = worker(log);
        Snapshot snapshot = data.open()) {
      worker.warmUp().run(() -> false);
      int before = loaded(log).size();
      run(worker, snapshot, "SELECT count(*) FROM t", true, null);
      run(worker, snapshot, "SELECT * FROM t LIMIT 1", false, null);
      run(worker, snapshot, "SELECT name, sum(id) AS n FROM t GROUP BY name", false, null);
      Predicate prefix =
          new Predicate.Prefix(List.of(1), ByteString.of("on".getBytes(StandardCharsets.UTF_8)));
      run(worker, snapshot, "SELECT * FROM t WHERE name LIKE $1", false, prefix);
      assertThat(loaded(log).stream().skip(before)).isEmpty();
    }
    data.datasets.close();
  }

  /// Returns the classes that a worker has read from jars and modules.
  private static List<String> loaded(Path log) throws IOException {
    return Files.readAllLines(log).stream()
        .filter(line -> line.contains("source: file:") || line.contains("source: jrt:"))
        .map(line -> line.replaceFirst(".*] (\\S+) source: .*", "$1"))
        .toList();
  }

  private static void run(
      WorkerProcess worker,
      Snapshot snapshot,
      String sql,
      boolean counted,
      @Nullable Predicate predicate)
      throws IOException {
    List<Parameter> parameters =
        sql.contains("$1") ? List.of(new Parameter("", Parameter.Type.VARCHAR, "on%")) : List.of();
    List<PassedColumn> passed =
        sql.startsWith("SELECT *")
            ? List.of(new PassedColumn("t", 0), new PassedColumn("t", 1))
            : List.of();
    Run run =
        new Run("", sql, parameters, List.of(Map.entry("t", snapshot)), counted, null, predicate)
            .passing(passed);
    worker.channel().write(FrameType.PARSE, sql);
    assertThat(worker.channel().read().type()).isEqualTo(FrameType.TREE);
    worker.channel().write(FrameType.RUN, run.request());
    WorkerFrame frame = worker.channel().read();
    while (!frame.type().isLast()) {
      frame = worker.channel().read();
    }
    assertThat(frame.type()).as(sql).isEqualTo(FrameType.DONE);
  }
}
