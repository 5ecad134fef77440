package dev.quiver.sql.engine;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.Schema;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An engine over the files of a folder, for tests of other packages.
public final class FileEngine implements AutoCloseable {

  private final Engine engine;
  private final Arena arena = Arena.ofShared();

  public FileEngine(Path folder) {
    engine = open(folder, /* threadCount= */ 2);
  }

  /// Opens an instance, which the caller closes.
  public static Engine open(Path folder, int threadCount) {
    return Engine.open(
        TestEngine.library(),
        new EngineOptions(
            TestEngine.MEMORY_BYTE_SIZE, threadCount, Duration.ofMinutes(2), null, 0, folder));
  }

  /// Returns a new session, which the caller closes.
  public Session connect() {
    return engine.connect();
  }

  /// Returns the schema of a statement's result.
  public Schema schema(String sql) {
    try (Session session = engine.connect();
        Statement statement = session.prepare(sql, Map.of(), StatementParameters.NONE)) {
      return statement.schema();
    }
  }

  /// Returns the result, which is readable until this is closed.
  public List<RecordBatch> batches(String sql) {
    List<RecordBatch> batches = new ArrayList<>();
    try (Session session = engine.connect();
        Statement statement = session.prepare(sql, Map.of(), StatementParameters.NONE)) {
      RecordBatch batch = statement.next(arena);
      while (batch != null) {
        batches.add(batch);
        batch = statement.next(arena);
      }
    }
    return batches;
  }

  public List<List<@Nullable Object>> rows(String sql) {
    try (Session session = engine.connect()) {
      return TestEngine.rows(session, sql);
    }
  }

  @Override
  public void close() {
    engine.close();
    arena.close();
  }
}
