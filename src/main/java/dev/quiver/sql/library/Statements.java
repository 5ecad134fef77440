package dev.quiver.sql.library;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/// Prepared statements and their results.
public final class Statements {
  /// The type of a statement that only reads.
  public static final int SELECT = 1;

  /// The type of a statement that describes another one.
  public static final int EXPLAIN = 4;

  /// The type of a statement that writes a file, or reads one into a table.
  public static final int COPY = 11;

  private static final int SUCCESS = 0;

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

  private final MemorySegment fetchChunk;
  private final MemorySegment extractStatements;
  private final MemorySegment extractStatementsError;
  private final MemorySegment destroyExtracted;
  private final MemorySegment prepareExtractedStatement;
  private final MemorySegment prepareError;
  private final MemorySegment destroyPrepare;
  private final MemorySegment preparedStatementType;
  private final MemorySegment preparedStatementColumnCount;
  private final MemorySegment preparedStatementColumnName;
  private final MemorySegment preparedStatementColumnLogicalType;
  private final MemorySegment nparams;
  private final MemorySegment parameterName;
  private final MemorySegment bindValue;
  private final MemorySegment pendingPreparedStreaming;
  private final MemorySegment pendingError;
  private final MemorySegment executePending;
  private final MemorySegment destroyPending;
  private final MemorySegment columnCount;
  private final MemorySegment columnName;
  private final MemorySegment columnLogicalType;
  private final MemorySegment resultError;
  private final MemorySegment destroyResult;

  Statements(Functions functions, NativeText text) {
    this.text = text;
    fetchChunk = functions.find("fetch_chunk");

    extractStatements = functions.find("extract_statements");
    extractStatementsError = functions.find("extract_statements_error");
    destroyExtracted = functions.find("destroy_extracted");
    prepareExtractedStatement = functions.find("prepare_extracted_statement");
    prepareError = functions.find("prepare_error");
    destroyPrepare = functions.find("destroy_prepare");
    preparedStatementType = functions.find("prepared_statement_type");
    preparedStatementColumnCount = functions.find("prepared_statement_column_count");
    preparedStatementColumnName = functions.find("prepared_statement_column_name");
    preparedStatementColumnLogicalType = functions.find("prepared_statement_column_logical_type");
    nparams = functions.find("nparams");
    parameterName = functions.find("parameter_name");
    bindValue = functions.find("bind_value");
    pendingPreparedStreaming = functions.find("pending_prepared_streaming");
    pendingError = functions.find("pending_error");
    executePending = functions.find("execute_pending");
    destroyPending = functions.find("destroy_pending");
    columnCount = functions.find("column_count");
    columnName = functions.find("column_name");
    columnLogicalType = functions.find("column_logical_type");
    resultError = functions.find("result_error");
    destroyResult = functions.find("destroy_result");
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
    return (int)
            Downcalls.call(
                prepareExtractedStatement, connection, extracted, index, statementPointer)
        == SUCCESS;
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
    return (int) Downcalls.call(bindValue, statement, position, value) == SUCCESS;
  }

  /// Makes a statement the one of its connection, which forgets interruptions of before. It runs
  /// later.
  public boolean start(long statement, long pendingPointer) {
    return (int) Downcalls.call(pendingPreparedStreaming, statement, pendingPointer) == SUCCESS;
  }

  public @Nullable String startError(long pending) {
    return NativeText.read(Downcalls.call(pendingError, pending));
  }

  /// Runs a statement that was started until it has its first rows.
  public boolean execute(long pending, long result) {
    return (int) Downcalls.call(executePending, pending, result) == SUCCESS;
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
