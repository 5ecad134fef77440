package dev.quiver.sql.engine;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.array.Values;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Engines for tests, and the rows of statements as Java values.
final class TestEngine {

  static final long MEMORY_BYTE_SIZE = 256L << 20;

  private TestEngine() {}

  /// Returns the library of this platform, which is unpacked once.
  static synchronized Path library() {
    Path file = Path.of("target/engine/libduckdb");
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(file.getParent());
        Path part = Files.createTempFile(file.getParent(), "libduckdb", ".part");
        try (InputStream resource = TestEngine.class.getResourceAsStream("/" + resourceName())) {
          Files.copy(resource, part, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String resourceName() {
    String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String system = name.contains("mac") ? "macos" : name.contains("windows") ? "windows" : "linux";
    boolean arm = System.getProperty("os.arch").equals("aarch64");
    return "libduckdb_java.so_" + system + "_" + (arm ? "arm64" : "amd64");
  }

  static EngineOptions options() {
    return new EngineOptions(MEMORY_BYTE_SIZE, 2, Duration.ofMinutes(2), null, 0, null);
  }

  static Engine open() {
    return Engine.open(library(), options());
  }

  /// Returns all rows of a statement.
  static List<List<@Nullable Object>> rows(
      Session session,
      String sql,
      Map<String, ? extends Table> tables,
      StatementParameters parameters) {
    try (Statement statement = session.prepare(sql, Map.copyOf(tables), parameters)) {
      return rows(statement);
    }
  }

  static List<List<@Nullable Object>> rows(
      Session session, String sql, Map<String, ? extends Table> tables) {
    return rows(session, sql, tables, StatementParameters.NONE);
  }

  static List<List<@Nullable Object>> rows(Session session, String sql) {
    return rows(session, sql, Map.of());
  }

  /// Returns the rows that are left.
  static List<List<@Nullable Object>> rows(Statement statement) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    while (true) {
      try (Arena arena = Arena.ofConfined()) {
        RecordBatch batch = statement.next(arena);
        if (batch == null) {
          return rows;
        }
        rows.addAll(Values.rows(batch));
      }
    }
  }
}
