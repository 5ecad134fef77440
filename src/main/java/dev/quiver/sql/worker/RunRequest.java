package dev.quiver.sql.worker;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// A statement to run.
///
/// @param sql one SELECT or EXPLAIN
/// @param threadCount the threads that may read a table at a time, of those that the engine has
/// @param tables the versions that it may read, each name once
/// @param schema the metadata of a schema message, to whose types and names the columns of the
///   result are cast; empty for the engine's types
/// @param passed the origin of each column of the result; empty if unknown
public record RunRequest(
    String sql,
    int threadCount,
    List<Parameter> parameters,
    List<StoredTable> tables,
    MemorySegment schema,
    List<PassedColumn> passed)
    implements Payload {

  /// One statement, of as many threads as the engine has.
  public RunRequest(
      String sql, List<Parameter> parameters, List<StoredTable> tables, MemorySegment schema) {
    this(sql, Integer.MAX_VALUE, parameters, tables, schema, List.of());
  }

  public RunRequest {
    parameters = List.copyOf(parameters);
    tables = List.copyOf(tables);
    passed = List.copyOf(passed);
  }

  /// Returns the same statement with a number of threads.
  public RunRequest withThreadCount(int changed) {
    return new RunRequest(sql, changed, parameters, tables, schema, passed);
  }

  public static RunRequest read(DataInput input) throws IOException {
    String sql = Payload.readText(input);
    int threadCount = input.readInt();
    List<Parameter> parameters = new ArrayList<>();
    for (int i = Payload.readCount(input); i > 0; i--) {
      parameters.add(Parameter.read(input));
    }
    List<StoredTable> tables = new ArrayList<>();
    for (int i = Payload.readCount(input); i > 0; i--) {
      tables.add(StoredTable.read(input));
    }
    byte[] schema = new byte[Payload.readCount(input)];
    input.readFully(schema);
    List<PassedColumn> passed = new ArrayList<>();
    for (int i = Payload.readCount(input); i > 0; i--) {
      passed.add(PassedColumn.read(input));
    }
    return new RunRequest(
        sql, threadCount, parameters, tables, MemorySegment.ofArray(schema), passed);
  }

  @Override
  public void write(DataOutput output) throws IOException {
    Payload.writeText(output, sql);
    output.writeInt(threadCount);
    output.writeInt(parameters.size());
    for (Parameter parameter : parameters) {
      parameter.write(output);
    }
    output.writeInt(tables.size());
    for (StoredTable table : tables) {
      table.write(output);
    }
    byte[] bytes = schema.toArray(ValueLayout.JAVA_BYTE);
    output.writeInt(bytes.length);
    output.write(bytes);
    output.writeInt(passed.size());
    for (PassedColumn column : passed) {
      column.write(output);
    }
  }
}
