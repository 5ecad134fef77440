package dev.quiver.sql.engine;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The tables of one statement, and the first failure while they were read.
///
/// A table function gets the key of its table as an argument. Other statements cannot guess it, so
/// a statement reaches tables by their names alone.
final class StatementTables {

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int KEY_BYTE_SIZE = 16;

  private final Map<String, Integer> indices = new HashMap<>();
  private final List<Table> tables = new ArrayList<>();
  private final int threadCount;
  private final String prefix;
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

  /// @param threadCount the threads that may read a table at a time
  StatementTables(Map<String, Table> tables, int threadCount) {
    this.threadCount = threadCount;
    tables.forEach((name, table) -> {
      indices.put(name, this.tables.size());
      this.tables.add(table);
    });
    byte[] random = new byte[KEY_BYTE_SIZE];
    RANDOM.nextBytes(random);
    prefix = HexFormat.of().formatHex(random) + ":";
  }

  /// Returns the key of the table with this exact name, or null if absent.
  @Nullable String key(String name) {
    Integer index = indices.get(name);
    return index == null ? null : prefix + index;
  }

  /// Returns the table with this key, or null if the key is invalid.
  @Nullable Table table(@Nullable String key) {
    return key != null && key.startsWith(prefix)
        ? tables.get(Integer.parseInt(key.substring(prefix.length())))
        : null;
  }

  int threadCount() {
    return threadCount;
  }

  /// Keeps the failure, which the engine only gets as a text.
  void fail(RuntimeException exception) {
    failure.compareAndSet(null, exception);
  }

  @Nullable RuntimeException failure() {
    return failure.get();
  }
}
