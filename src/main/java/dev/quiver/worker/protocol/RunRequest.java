package dev.quiver.worker.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A statement to run.
///
/// @param sql one SELECT or EXPLAIN
/// @param tables the versions that it may read, each name once
public record RunRequest(String sql, List<Parameter> parameters, List<StoredTable> tables)
    implements Payload {

  public RunRequest {
    parameters = List.copyOf(parameters);
    tables = List.copyOf(tables);
  }

  public static RunRequest read(DataInput input) throws IOException {
    String sql = Payload.readText(input);
    List<Parameter> parameters = new ArrayList<>();
    for (int i = Payload.readCount(input); i > 0; i--) {
      parameters.add(Parameter.read(input));
    }
    List<StoredTable> tables = new ArrayList<>();
    for (int i = Payload.readCount(input); i > 0; i--) {
      tables.add(StoredTable.read(input));
    }
    return new RunRequest(sql, parameters, tables);
  }

  @Override
  public void write(DataOutput output) throws IOException {
    Payload.writeText(output, sql);
    output.writeInt(parameters.size());
    for (Parameter parameter : parameters) {
      parameter.write(output);
    }
    output.writeInt(tables.size());
    for (StoredTable table : tables) {
      table.write(output);
    }
  }
}
