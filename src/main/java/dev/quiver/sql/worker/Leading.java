package dev.quiver.sql.worker;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/// The rows that come first in the order of a column, with nulls last. A statement that sorts by
/// the column needs no other rows than these and those that equal the last of them.
///
/// @param column the index of the column, whose type [LeadingKeys] has
/// @param rowCount the number of rows, from 1 to [#ROW_COUNT_MAXIMUM]
public record Leading(int column, boolean isDescending, int rowCount) {

  /// The number of rows up to which sorting takes longer than finding them.
  public static final int ROW_COUNT_MAXIMUM = 1000;

  static Leading read(DataInput input) throws IOException {
    return new Leading(input.readInt(), input.readBoolean(), input.readInt());
  }

  void write(DataOutput output) throws IOException {
    output.writeInt(column);
    output.writeBoolean(isDescending);
    output.writeInt(rowCount);
  }
}
