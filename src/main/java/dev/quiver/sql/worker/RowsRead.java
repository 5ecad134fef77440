package dev.quiver.sql.worker;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/// The progress of a statement.
///
/// @param count the rows of the record batches that it has read of its tables, each counted once
public record RowsRead(long count) implements Payload {

  public static RowsRead read(DataInput input) throws IOException {
    return new RowsRead(input.readLong());
  }

  @Override
  public void write(DataOutput output) throws IOException {
    output.writeLong(count);
  }
}
