package dev.quiver.worker.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A stored version that a statement may read: an IPC file in pieces.
///
/// @param name the name in the statement, such as `flights` or `flights@3`
/// @param footerOffset where the footer's flatbuffer starts in the file
/// @param footerByteSize the size of the footer's flatbuffer
/// @param validated whether the data is known to be valid up to its values
/// @param extents the pieces of the file, in order
/// @param counted whether the statement uses no column, and only counts rows
/// @param numbering the batches that the statement may read, and the column that numbers their
///   rows; null for all batches and no such column
public record StoredTable(
    String name,
    long rowCount,
    long footerOffset,
    int footerByteSize,
    boolean validated,
    List<Extent> extents,
    boolean counted,
    @Nullable Numbering numbering) {

  /// A range of a local file.
  public record Extent(String path, long byteOffset, long byteSize) {}

  /// Some columns and batches of a version, with a column that numbers their rows.
  ///
  /// @param name the name of that column, which no column of the version has
  /// @param columns the indices of the columns of the version
  /// @param batches the indices of the batches, ascending
  /// @param firstRows the number of the first row of each
  public record Numbering(String name, int[] columns, int[] batches, long[] firstRows) {

    static Numbering read(DataInput input) throws IOException {
      String name = Payload.readText(input);
      int[] columns = new int[Payload.readCount(input)];
      for (int i = 0; i < columns.length; i++) {
        columns[i] = input.readInt();
      }
      int[] batches = new int[Payload.readCount(input)];
      long[] firstRows = new long[batches.length];
      for (int i = 0; i < batches.length; i++) {
        batches[i] = input.readInt();
        firstRows[i] = input.readLong();
      }
      return new Numbering(name, columns, batches, firstRows);
    }

    void write(DataOutput output) throws IOException {
      Payload.writeText(output, name);
      output.writeInt(columns.length);
      for (int column : columns) {
        output.writeInt(column);
      }
      output.writeInt(batches.length);
      for (int i = 0; i < batches.length; i++) {
        output.writeInt(batches[i]);
        output.writeLong(firstRows[i]);
      }
    }
  }

  public StoredTable {
    extents = List.copyOf(extents);
  }

  static StoredTable read(DataInput input) throws IOException {
    String name = Payload.readText(input);
    long rowCount = input.readLong();
    long footerOffset = input.readLong();
    int footerByteSize = input.readInt();
    boolean validated = input.readBoolean();
    List<Extent> extents = new ArrayList<>();
    for (int i = Payload.readCount(input); i > 0; i--) {
      extents.add(new Extent(Payload.readText(input), input.readLong(), input.readLong()));
    }
    boolean counted = input.readBoolean();
    Numbering numbering = input.readBoolean() ? Numbering.read(input) : null;
    return new StoredTable(
        name, rowCount, footerOffset, footerByteSize, validated, extents, counted, numbering);
  }

  void write(DataOutput output) throws IOException {
    Payload.writeText(output, name);
    output.writeLong(rowCount);
    output.writeLong(footerOffset);
    output.writeInt(footerByteSize);
    output.writeBoolean(validated);
    output.writeInt(extents.size());
    for (Extent extent : extents) {
      Payload.writeText(output, extent.path());
      output.writeLong(extent.byteOffset());
      output.writeLong(extent.byteSize());
    }
    output.writeBoolean(counted);
    output.writeBoolean(numbering != null);
    if (numbering != null) {
      numbering.write(output);
    }
  }
}
