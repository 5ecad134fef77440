package dev.quiver.sql.worker;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/// The column of a table whose values a column of the result has, unchanged.
///
/// @param table the name of the table in the statement; empty if the values are computed
/// @param column the index of the column in the stored version
public record PassedColumn(String table, int column) {

  /// A column of the result that is computed.
  public static final PassedColumn COMPUTED = new PassedColumn("", -1);

  static PassedColumn read(DataInput input) throws IOException {
    return new PassedColumn(Payload.readText(input), input.readInt());
  }

  void write(DataOutput output) throws IOException {
    Payload.writeText(output, table);
    output.writeInt(column);
  }
}
