package dev.quiver.sql.engine;

import dev.quiver.arrow.type.Field;
import dev.quiver.formats.ColumnNames;
import dev.quiver.sql.engine.EngineException.Kind;
import dev.quiver.sql.library.Library;
import dev.quiver.sql.library.NativeMemory;
import dev.quiver.sql.library.TableFunctions;
import dev.quiver.sql.library.TypeId;
import dev.quiver.sql.library.Upcalls;
import dev.quiver.sql.vector.ColumnTypes;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Collections;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The table function through which the engine reads tables, and the replacement of names by it.
///
/// The engine asks for the table of an unknown name, and binds it, on the thread that prepares or
/// starts a statement; so the thread identifies the statement. All methods that the engine calls
/// catch everything: an exception that reached it would end the process.
final class TableScans {

  private static final Logger LOG = System.getLogger(TableScans.class.getName());

  private static final String FUNCTION_NAME = "quiver_scan";

  private final Library library;
  private final TableFunctions functions;
  private final ColumnTypes types;
  private final Handles handles = new Handles();
  private final ThreadLocal<@Nullable StatementTables> current = new ThreadLocal<>();
  private final Arena arena;
  private final long deleter;

  /// @param arena the lifetime of the callbacks
  TableScans(Library library, Arena arena) {
    this.library = library;
    this.functions = library.tableFunctions();
    this.types = new ColumnTypes(library.types());
    this.arena = arena;
    this.deleter = callback("release", 1);
  }

  /// Adds the function and the replacement to an instance.
  void register(long database, long connection) {
    long function = functions.create();
    try (Arena scratch = Arena.ofConfined()) {
      functions.setName(function, scratch.allocateFrom(FUNCTION_NAME).address());
      long text = library.types().create(TypeId.VARCHAR.number());
      functions.addParameter(function, text);
      library.types().release(text);
      functions.setBind(function, callback("bind", 1));
      functions.setInit(function, callback("start", 1));
      functions.setLocalInit(function, callback("startThread", 1));
      functions.setFunction(function, callback("fill", 2));
      functions.setProjection(function, true);
      boolean registered = functions.register(connection, function);
      functions.destroy(scratch.allocateFrom(ValueLayout.JAVA_LONG, function).address());
      if (!registered) {
        throw new IllegalStateException("The engine rejects the table function");
      }
    }
    functions.addReplacementScan(database, callback("replace", 3), 0, 0);
  }

  /// Runs an action of the engine that may bind the names of these tables.
  <T> T with(StatementTables tables, Supplier<T> action) {
    current.set(tables);
    try {
      return action.get();
    } finally {
      current.remove();
    }
  }

  /// Runs an action like [#with].
  void run(StatementTables tables, Runnable action) {
    with(
        tables,
        () -> {
          action.run();
          return true;
        });
  }

  /// Returns how many Java objects the engine holds.
  int handleCount() {
    return handles.size();
  }

  private long callback(String name, int argumentCount) {
    MethodType type =
        MethodType.methodType(void.class, Collections.nCopies(argumentCount, long.class));
    try {
      MethodHandle method = MethodHandles.lookup().bind(this, name, type);
      return Upcalls.function(method, arena);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(name, e);
    }
  }

  private void replace(long info, long name, long data) {
    try {
      StatementTables tables = current.get();
      String key = tables == null ? null : tables.key(NativeMemory.text(name));
      if (key != null) {
        try (Arena scratch = Arena.ofConfined()) {
          functions.setReplacement(info, scratch.allocateFrom(FUNCTION_NAME).address());
          long value = library.values().createText(key);
          functions.addReplacementParameter(info, value);
          library.values().release(value);
        }
      }
    } catch (Throwable e) {
      report(current.get(), e, message -> functions.setReplacementError(info, message));
    }
  }

  private void bind(long info) {
    StatementTables tables = current.get();
    try {
      long value = functions.bindParameter(info, 0);
      String key = library.values().text(value);
      library.values().release(value);
      Table table = tables == null ? null : tables.table(key);
      if (tables == null || table == null) {
        throw new EngineException(
            Kind.NOT_ALLOWED,
            "Expected the name of a table but found the function " + FUNCTION_NAME);
      }
      requireColumns(table);
      try (Arena scratch = Arena.ofConfined()) {
        ColumnNames names = new ColumnNames();
        List<Field> fields = table.schema().fields();
        for (int i = 0; i < fields.size(); i++) {
          long type = types.createOrSubstitute(fields.get(i));
          String name = names.next(ColumnNames.ofColumn(i, fields.get(i).name()));
          functions.addColumn(info, scratch.allocateFrom(name).address(), type);
          library.types().release(type);
        }
      }
      functions.setCardinality(info, table.rowCount(), true);
      functions.setBindData(info, handles.add(new BoundTable(tables, table)), deleter);
    } catch (Throwable e) {
      report(tables, e, message -> functions.setBindError(info, message));
    }
  }

  /// Rejects a table that the engine cannot have. A statement that only counts its rows reads
  /// another one.
  private static void requireColumns(Table table) {
    if (table.schema().fields().isEmpty()) {
      throw new EngineException(
          Kind.UNSUPPORTED_TYPE,
          "Expected a dataset with columns but found one without any",
          "Count its rows by count(*), which is all that SQL can do with it.",
          EngineException.NO_POSITION,
          /* length= */ 0);
    }
  }

  private void start(long info) {
    BoundTable bound = null;
    try {
      bound = handles.get(functions.bindData(info), BoundTable.class);
      int fieldCount = bound.table.schema().fields().size();
      int[] columns = new int[(int) functions.columnCount(info)];
      for (int i = 0; i < columns.length; i++) {
        long index = functions.columnIndex(info, i);
        columns[i] = index >= 0 && index < fieldCount ? (int) index : -1;
      }
      TableScan scan = new TableScan(library, bound.statement, bound.table, columns);
      int shared = Math.clamp(scan.batchCount(), 1, bound.statement.threadCount());
      int threads = bound.table.isOrdered() ? 1 : shared;
      functions.setMaximumThreads(info, threads);
      functions.setInitData(info, handles.add(scan), deleter);
    } catch (Throwable e) {
      StatementTables tables = bound == null ? null : bound.statement;
      report(tables, e, message -> functions.setInitError(info, message));
    }
  }

  private void startThread(long info) {
    try {
      functions.setInitData(info, handles.add(new BatchCursor(library)), deleter);
    } catch (Throwable e) {
      report(null, e, message -> functions.setInitError(info, message));
    }
  }

  private void fill(long info, long chunk) {
    TableScan scan = null;
    try {
      scan = handles.get(functions.initData(info), TableScan.class);
      handles.get(functions.localInitData(info), BatchCursor.class).fill(scan, chunk);
    } catch (Throwable e) {
      StatementTables tables = scan == null ? null : scan.statement();
      report(tables, e, message -> functions.setError(info, message));
    }
  }

  private void release(long handle) {
    try {
      handles.release(handle);
    } catch (Throwable e) {
      LOG.log(Level.ERROR, "A batch could not be closed", e);
    }
  }

  /// Keeps a failure for the caller of the statement, and reports to the engine that one occurred.
  private static void report(
      @Nullable StatementTables tables, Throwable failure, LongConsumer setError) {
    try {
      RuntimeException exception =
          switch (failure) {
            case RuntimeException runtime -> runtime;
            case OutOfMemoryError _ ->
                new EngineException(
                    Kind.MEMORY, "Expected memory for the rows of a table but found none");
            default -> new IllegalStateException(failure);
          };
      if (tables != null) {
        tables.fail(exception);
      }
      try (Arena scratch = Arena.ofConfined()) {
        setError.accept(scratch.allocateFrom(String.valueOf(exception.getMessage())).address());
      }
    } catch (Throwable e) {
      LOG.log(Level.ERROR, "A failure could not be reported", e);
    }
  }

  /// A table as bound in a statement.
  private record BoundTable(StatementTables statement, Table table) {}
}
