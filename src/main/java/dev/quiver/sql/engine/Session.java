package dev.quiver.sql.engine;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.sql.engine.EngineException.Kind;
import dev.quiver.sql.library.Databases;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;

/// A connection to an [Engine], which runs one statement at a time.
///
/// One thread at a time prepares and reads statements. Any thread may interrupt them.
public final class Session implements AutoCloseable {

  private static final String SYNTAX_TREE =
      "SELECT json_serialize_sql($1, skip_null := true, skip_empty := true, skip_default := true)";

  private final Engine engine;

  /// Keeps the connection open while another thread interrupts it.
  private final Object lock = new Object();

  /// The address of the connection, or 0 if closed.
  private long connection;

  private volatile boolean interrupted;

  Session(Engine engine, long connection) {
    this.engine = engine;
    this.connection = connection;
  }

  /// Returns the syntax tree of SELECT statements as the engine's JSON, or its JSON about a syntax
  /// error. Nothing is bound or run, and no table need exist.
  public String syntaxTree(String sql) {
    try (Statement statement = prepare(SYNTAX_TREE, Map.of(), StatementParameters.of(sql));
        Arena arena = Arena.ofConfined()) {
      RecordBatch batch = statement.next(arena);
      if (batch == null) {
        throw new EngineException(Kind.OTHER, "The statement has no syntax tree");
      }
      return ((Array.Bytes) Array.of(batch.columns().getFirst())).text(0);
    }
  }

  /// Prepares one SELECT statement, or an EXPLAIN of one. An engine with a folder for files also
  /// accepts COPY, whose result is the number of rows.
  ///
  /// @param tables the tables that the statement can read, by their exact names. A name that the
  ///   engine itself uses, such as `pg_class`, stays the engine's.
  /// @throws EngineException if the statement is invalid or not allowed, or the session is
  ///   interrupted
  public Statement prepare(String sql, Map<String, Table> tables, StatementParameters parameters) {
    return prepare(sql, tables, parameters, Integer.MAX_VALUE);
  }

  /// Prepares a statement as [#prepare(String, Map, StatementParameters)] does.
  ///
  /// @param threadCount the threads that may read a table at a time, at least 1
  public Statement prepare(
      String sql, Map<String, Table> tables, StatementParameters parameters, int threadCount) {
    if (connection == 0) {
      throw new IllegalStateException("The session is closed");
    }
    requireUninterrupted();
    return Statement.prepare(
        engine,
        connection,
        sql,
        new StatementTables(tables, threadCount),
        parameters,
        this::requireUninterrupted);
  }

  private void requireUninterrupted() {
    if (interrupted) {
      throw new EngineException(Kind.INTERRUPTED, "The statement was interrupted");
    }
  }

  /// Makes the statement of this session fail soon, whether it is being prepared, is prepared, or
  /// is being read. Later ones fail at once. Some functions run on for long.
  public void interrupt() {
    // The engine forgets an interruption when a statement begins to be prepared or to run.
    interrupted = true;
    synchronized (lock) {
      if (connection != 0) {
        engine.library().databases().interrupt(connection);
      }
    }
  }

  /// Returns the progress of the running statement.
  public Progress progress() {
    synchronized (lock) {
      if (connection == 0) {
        return new Progress(-1, 0, 0);
      }
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment progress = engine.library().databases().progress(arena, connection);
        return new Progress(
            progress.get(ValueLayout.JAVA_DOUBLE, 0),
            progress.get(ValueLayout.JAVA_LONG, Databases.ROWS_READ_OFFSET),
            progress.get(ValueLayout.JAVA_LONG, Databases.ROWS_TOTAL_OFFSET));
      }
    }
  }

  /// Closes the connection, whose statement must be closed before.
  @Override
  public void close() {
    synchronized (lock) {
      if (connection != 0) {
        engine.disconnect(connection);
        connection = 0;
      }
    }
  }
}
