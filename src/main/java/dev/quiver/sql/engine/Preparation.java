package dev.quiver.sql.engine;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.quiver.sql.engine.EngineException.Kind;
import dev.quiver.sql.library.Statements;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The preparation of statements on a connection: exactly one statement, of an allowed kind.
///
/// @param connection the address of the connection
record Preparation(Engine engine, long connection) {

  private static final String EXPLAIN = "EXPLAIN ";

  private static final Set<Integer> WITHOUT_FILES = Set.of(Statements.SELECT);
  private static final Set<Integer> WITH_FILES = Set.of(Statements.SELECT, Statements.COPY);

  /// Returns the address of the prepared statement.
  ///
  /// @throws EngineException if the statement is invalid or not allowed
  long prepare(String sql, StatementTables tables) {
    if (sql.indexOf('\0') >= 0) {
      throw new EngineException(Kind.SYNTAX, "Expected SQL without the character 0");
    }
    // EXPLAIN takes any statement, and EXPLAIN ANALYZE runs it, so the rest must be a SELECT.
    boolean explains = sql.regionMatches(true, 0, EXPLAIN, 0, EXPLAIN.length());
    if (explains) {
      // Spaces keep the positions of errors.
      String rest = " ".repeat(EXPLAIN.length()) + sql.substring(EXPLAIN.length());
      release(prepare(rest, tables, Set.of(Statements.SELECT)));
      return prepare(sql, tables, Set.of(Statements.EXPLAIN));
    }
    return prepare(sql, tables, engine.readsFiles() ? WITH_FILES : WITHOUT_FILES);
  }

  private long prepare(String sql, StatementTables tables, Set<Integer> allowedTypes) {
    Statements statements = engine.library().statements();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment extracted = arena.allocate(JAVA_LONG);
      MemorySegment prepared = arena.allocate(JAVA_LONG);
      long text = arena.allocateFrom(sql).address();
      long count = statements.extract(connection, text, extracted.address());
      try {
        requireOne(count, extracted.get(JAVA_LONG, 0));
        boolean valid =
            engine
                .scans()
                .with(
                    tables,
                    () ->
                        statements.prepare(
                            connection, extracted.get(JAVA_LONG, 0), 0, prepared.address()));
        long statement = prepared.get(JAVA_LONG, 0);
        EngineException failure =
            valid
                ? check(statements.type(statement), allowedTypes)
                : EngineErrors.of(statements.prepareError(statement), tables.failure());
        if (failure != null) {
          release(statement);
          throw failure;
        }
        return statement;
      } finally {
        statements.destroyExtracted(extracted.address());
      }
    }
  }

  private void requireOne(long count, long extracted) {
    if (count == 0) {
      String error = engine.library().statements().extractError(extracted);
      throw error == null || error.isEmpty()
          ? new EngineException(Kind.SYNTAX, "Expected a statement but found none")
          : EngineErrors.of(error, null);
    }
    if (count != 1) {
      throw new EngineException(Kind.NOT_ALLOWED, "Expected one statement but found " + count);
    }
  }

  private static @Nullable EngineException check(int type, Set<Integer> allowed) {
    return allowed.contains(type)
        ? null
        : new EngineException(Kind.NOT_ALLOWED, "Expected a SELECT but found another statement");
  }

  void release(long statement) {
    try (Arena arena = Arena.ofConfined()) {
      long pointer = arena.allocateFrom(JAVA_LONG, statement).address();
      engine.library().statements().destroy(pointer);
    }
  }
}
