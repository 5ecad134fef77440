package dev.quiver.sql.library;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// Prepared statements and their results.
public final class Statements extends FunctionGroup {
  /// The type of a statement that only reads.
  public static final int SELECT = 1;

  /// The type of a statement that describes another one.
  public static final int EXPLAIN = 4;

  /// The type of a statement that writes a file, or reads one into a table.
  public static final int COPY = 11;

  private final NativeText text;

  /// The layout of a result, which `fetchChunk` takes by value.
  public static final StructLayout RESULT =
      MemoryLayout.structLayout(
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG,
          ValueLayout.JAVA_LONG);

  private static final MethodHandle FETCH =
      Downcalls.handle(FunctionDescriptor.of(ValueLayout.JAVA_LONG, RESULT));

  private final MemorySegment fetchChunk = find("fetch_chunk");
  private final MemorySegment extractStatements = find("extract_statements");
  private final MemorySegment extractStatementsError = find("extract_statements_error");
  private final MemorySegment destroyExtracted = find("destroy_extracted");
  private final MemorySegment prepareExtractedStatement = find("prepare_extracted_statement");
  private final MemorySegment prepareError = find("prepare_error");
  private final MemorySegment destroyPrepare = find("destroy_prepare");
  private final MemorySegment preparedStatementType = find("prepared_statement_type");
  private final MemorySegment preparedStatementColumnCount =
      find("prepared_statement_column_count");
  private final MemorySegment preparedStatementColumnName = find("prepared_statement_column_name");
  private final MemorySegment preparedStatementColumnLogicalType =
      find("prepared_statement_column_logical_type");
  private final MemorySegment nparams = find("nparams");
  private final MemorySegment parameterName = find("parameter_name");
  private final MemorySegment bindValue = find("bind_value");
  private final MemorySegment pendingPreparedStreaming = find("pending_prepared_streaming");
  private final MemorySegment pendingError = find("pending_error");
  private final MemorySegment executePending = find("execute_pending");
  private final MemorySegment destroyPending = find("destroy_pending");
  private final MemorySegment columnCount = find("column_count");
  private final MemorySegment columnName = find("column_name");
  private final MemorySegment columnLogicalType = find("column_logical_type");
  private final MemorySegment resultError = find("result_error");
  private final MemorySegment destroyResult = find("destroy_result");

  Statements(Functions functions, NativeText text) {
    super(functions);
    this.text = text;
  }

  public long extract(long connection, long sql, long extractedPointer) {
    return Downcalls.call(extractStatements, connection, sql, extractedPointer);
  }

  public @Nullable String extractError(long extracted) {
    return NativeText.read(Downcalls.call(extractStatementsError, extracted));
  }

  public void destroyExtracted(long extractedPointer) {
    Downcalls.call(destroyExtracted, extractedPointer);
  }

  public boolean prepare(long connection, long extracted, long index, long statementPointer) {
    return succeeds(
        Downcalls.call(prepareExtractedStatement, connection, extracted, index, statementPointer));
  }

  public @Nullable String prepareError(long statement) {
    return NativeText.read(Downcalls.call(prepareError, statement));
  }

  public void destroy(long statementPointer) {
    Downcalls.call(destroyPrepare, statementPointer);
  }

  public int type(long statement) {
    return (int) Downcalls.call(preparedStatementType, statement);
  }

  public long columnCount(long statement) {
    return Downcalls.call(preparedStatementColumnCount, statement);
  }

  public @Nullable String columnName(long statement, long index) {
    return NativeText.read(Downcalls.call(preparedStatementColumnName, statement, index));
  }

  public long columnType(long statement, long index) {
    return Downcalls.call(preparedStatementColumnLogicalType, statement, index);
  }

  public long parameterCount(long statement) {
    return Downcalls.call(nparams, statement);
  }

  public String parameterName(long statement, long position) {
    return text.take(Downcalls.call(parameterName, statement, position));
  }

  public boolean bind(long statement, long position, long value) {
    return succeeds(Downcalls.call(bindValue, statement, position, value));
  }

  /// Makes a statement the one of its connection, which forgets interruptions of before. It runs
  /// later.
  public boolean start(long statement, long pendingPointer) {
    return succeeds(Downcalls.call(pendingPreparedStreaming, statement, pendingPointer));
  }

  public @Nullable String startError(long pending) {
    return NativeText.read(Downcalls.call(pendingError, pending));
  }

  /// Runs a statement that was started until it has its first rows.
  public boolean execute(long pending, long result) {
    return succeeds(Downcalls.call(executePending, pending, result));
  }

  public void destroyPending(long pendingPointer) {
    Downcalls.call(destroyPending, pendingPointer);
  }

  public long resultColumnCount(long result) {
    return Downcalls.call(columnCount, result);
  }

  public @Nullable String resultColumnName(long result, long index) {
    return NativeText.read(Downcalls.call(columnName, result, index));
  }

  public long resultColumnType(long result, long index) {
    return Downcalls.call(columnLogicalType, result, index);
  }

  public @Nullable String resultError(long result) {
    return NativeText.read(Downcalls.call(resultError, result));
  }

  public void destroyResult(long result) {
    Downcalls.call(destroyResult, result);
  }

  /// Returns the next chunk of the result, or 0 at its end and after an error.
  public long fetch(MemorySegment result) {
    try {
      return (long) FETCH.invokeExact(fetchChunk, result);
    } catch (Throwable e) {
      throw Downcalls.failure(e);
    }
  }
}
