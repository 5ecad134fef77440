package dev.quiver.worker.protocol;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A stored version that a statement may read: an IPC file in pieces.
///
/// @param name the name in the statement, such as `flights` or `flights@3`
/// @param footerOffset where the footer's flatbuffer starts in the file
/// @param footerByteSize the size of the footer's flatbuffer
/// @param validated whether the data is known to be valid up to its values
/// @param extents the pieces of the file, in order
public record StoredTable(
    String name,
    long rowCount,
    long footerOffset,
    int footerByteSize,
    boolean validated,
    List<Extent> extents) {

  /// A range of a local file.
  public record Extent(String path, long byteOffset, long byteSize) {}

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
    return new StoredTable(name, rowCount, footerOffset, footerByteSize, validated, extents);
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
  }
}
