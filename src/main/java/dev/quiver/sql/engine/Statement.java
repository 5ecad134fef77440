package dev.quiver.sql.engine;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ColumnNames;
import dev.quiver.sql.library.ConversionException;
import dev.quiver.sql.library.LogicalTypes;
import dev.quiver.sql.library.Statements;
import dev.quiver.sql.library.UnsupportedTypeException;
import dev.quiver.sql.vector.ColumnBuilder;
import dev.quiver.sql.vector.ResultTypes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A prepared statement, whose rows are computed while they are read. It is read once.
///
/// One thread at a time uses it. Its tables must stay readable until it is closed.
public final class Statement implements AutoCloseable {

  @FunctionalInterface
  private interface ColumnType {
    long of(long index);
  }

  @FunctionalInterface
  private interface ColumnName {
    @Nullable String of(long index);
  }

  private final Engine engine;
  private final Preparation preparation;
  private final StatementTables tables;
  private final Runnable check;
  private final long statement;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment result = arena.allocate(Statements.RESULT);
  private final List<ColumnBuilder> columns = new ArrayList<>();
  private @Nullable Schema schema;
  private @Nullable ResultReader reader;
  private boolean started;
  private boolean ended;
  private boolean closed;

  private Statement(
      Engine engine,
      Preparation preparation,
      StatementTables tables,
      Runnable check,
      long statement) {
    this.engine = engine;
    this.preparation = preparation;
    this.tables = tables;
    this.check = check;
    this.statement = statement;
  }

  /// @param check throws an exception if the session is interrupted
  static Statement prepare(
      Engine engine,
      long connection,
      String sql,
      StatementTables tables,
      StatementParameters parameters,
      Runnable check) {
    Preparation preparation = new Preparation(engine, connection);
    Statement statement =
        new Statement(engine, preparation, tables, check, preparation.prepare(sql, tables));
    try {
      statement.bind(parameters);
      return statement;
    } catch (Throwable e) {
      statement.close();
      throw e;
    }
  }

  private void bind(StatementParameters parameters) {
    ParameterBinding binding = new ParameterBinding(engine.library(), statement);
    if (binding.bind(parameters) == 0) {
      Statements statements = engine.library().statements();
      schema =
          describe(
              statements.columnCount(statement),
              index -> statements.columnName(statement, index),
              index -> statements.columnType(statement, index));
    }
  }

  /// Returns the schema of the result. If the statement has parameters, their values decide on it:
  /// then this method starts the statement.
  ///
  /// @throws EngineException if the statement fails, or returns a type that Arrow lacks
  public Schema schema() {
    if (schema == null) {
      start();
    }
    return Objects.requireNonNull(schema);
  }

  /// Returns the next rows, at most 65,536 and, unless one row has more, about 8 MiB; null at the
  /// end. The first call starts the statement.
  ///
  /// @param allocator for the batch
  /// @throws EngineException if the statement fails, is interrupted, or returns a value that Arrow
  ///   lacks
  public @Nullable RecordBatch next(SegmentAllocator allocator) {
    if (ended) {
      return null;
    }
    if (!started) {
      start();
    }
    // A failed statement has no further rows.
    ended = true;
    try {
      RecordBatch batch = Objects.requireNonNull(reader).next(tables, allocator);
      ended = batch == null;
      return batch;
    } catch (ConversionException e) {
      throw CallFailures.exception(e, EngineException.NO_POSITION, 0);
    }
  }

  private void start() {
    if (closed) {
      throw new IllegalStateException("The statement is closed");
    }
    started = true;
    ended = true;
    Statements statements = engine.library().statements();
    engine.scans().run(tables, () -> execute(statements));
    Schema described = schema;
    if (described == null) {
      described =
          describe(
              statements.resultColumnCount(result.address()),
              index -> statements.resultColumnName(result.address(), index),
              index -> statements.resultColumnType(result.address(), index));
      schema = described;
    }
    reader = new ResultReader(engine.library(), described, columns, result);
    ended = false;
  }

  /// Runs the statement until it has its first rows.
  private void execute(Statements statements) {
    check.run();
    try (Arena scratch = Arena.ofConfined()) {
      MemorySegment pending = scratch.allocate(ValueLayout.JAVA_LONG);
      boolean pends = statements.start(statement, pending.address());
      try {
        if (!pends) {
          throw EngineErrors.of(
              statements.startError(pending.get(ValueLayout.JAVA_LONG, 0)), tables.failure());
        }
        // From the start on, the engine keeps interruptions. It has forgotten earlier ones.
        check.run();
        if (!statements.execute(pending.get(ValueLayout.JAVA_LONG, 0), result.address())) {
          throw EngineErrors.of(statements.resultError(result.address()), tables.failure());
        }
      } finally {
        statements.destroyPending(pending.address());
      }
    }
  }

  private Schema describe(long count, ColumnName names, ColumnType columnTypes) {
    LogicalTypes types = engine.library().types();
    ResultTypes results = new ResultTypes(types, engine.library().vectors());
    ColumnNames distinct = new ColumnNames();
    for (long i = 0; i < count; i++) {
      String name = names.of(i);
      long type = columnTypes.of(i);
      try {
        columns.add(results.builder(distinct.next(name == null ? "" : name), type));
      } catch (UnsupportedTypeException e) {
        throw CallFailures.exception(e, EngineException.NO_POSITION, 0);
      } finally {
        types.release(type);
      }
    }
    return Schema.of(columns.stream().map(ColumnBuilder::field).toArray(Field[]::new));
  }

  /// Ends the statement, even if it is not read to its end, and frees everything that it holds. No
  /// thread of the engine reads its tables afterwards.
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    ended = true;
    if (reader != null) {
      reader.close();
    }
    if (started) {
      engine.library().statements().destroyResult(result.address());
    }
    preparation.release(statement);
    arena.close();
  }
}
