package dev.quiver.sql.worker;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.statistics.Predicate;
import dev.quiver.store.blob.BlockChecksums;
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
/// @param batches the indices of the batches that the statement may read, ascending; null for all
/// @param predicate selects the rows of these batches that the statement may need; null for all
/// @param leading the rows that the statement may need, without a predicate; null for all
/// @param numbering the column that numbers the rows of these batches, or null
/// @param schema the metadata of a schema message with the types of all columns that the statement
///   sees; empty for the version's types. A type has the layout of the stored one, or is a large
///   list in place of lists of one size
/// @param microseconds the indices of the columns of the version whose timestamps in nanoseconds
///   with a zone are all whole microseconds
public record StoredTable(
    String name,
    long rowCount,
    long footerOffset,
    int footerByteSize,
    boolean validated,
    List<Extent> extents,
    boolean counted,
    int @Nullable [] batches,
    @Nullable Predicate predicate,
    @Nullable Leading leading,
    @Nullable Numbering numbering,
    ByteString schema,
    int[] microseconds) {

  /// A range of a local file.
  ///
  /// @param blob the key of the blob that has the same bytes at the same offset; empty if none has
  /// @param checksums of the range, with offsets from its start
  public record Extent(
      String blob, String path, long byteOffset, long byteSize, BlockChecksums checksums) {

    /// A range of a file that is not a blob.
    public Extent(String path, long byteOffset, long byteSize) {
      this("", path, byteOffset, byteSize, BlockChecksums.NONE);
    }

    static Extent read(DataInput input) throws IOException {
      return new Extent(
          Payload.readText(input),
          Payload.readText(input),
          input.readLong(),
          input.readLong(),
          readChecksums(input));
    }

    void write(DataOutput output) throws IOException {
      Payload.writeText(output, blob);
      Payload.writeText(output, path);
      output.writeLong(byteOffset);
      output.writeLong(byteSize);
      byte[] blocks = checksums.toByteArray();
      output.writeInt(blocks.length);
      output.write(blocks);
    }

    private static BlockChecksums readChecksums(DataInput input) throws IOException {
      byte[] blocks = new byte[Payload.readCount(input)];
      input.readFully(blocks);
      return BlockChecksums.of(blocks);
    }
  }

  /// Some columns and rows of the batches, with a column that numbers their rows.
  ///
  /// @param name the name of that column, which no column of the version has
  /// @param columns the indices of the columns of the version
  /// @param firstRows the number of the first row of each batch
  /// @param rows a bit for each row of each batch that the statement may read; empty for all
  public record Numbering(String name, int[] columns, long[] firstRows, long[][] rows) {

    static Numbering read(DataInput input) throws IOException {
      String name = Payload.readText(input);
      int[] columns = readInts(input);
      long[] firstRows = new long[Payload.readCount(input)];
      long[][] rows = new long[firstRows.length][];
      for (int i = 0; i < firstRows.length; i++) {
        firstRows[i] = input.readLong();
        rows[i] = new long[Payload.readCount(input)];
        for (int word = 0; word < rows[i].length; word++) {
          rows[i][word] = input.readLong();
        }
      }
      return new Numbering(name, columns, firstRows, rows);
    }

    void write(DataOutput output) throws IOException {
      Payload.writeText(output, name);
      writeInts(output, columns);
      output.writeInt(firstRows.length);
      for (int i = 0; i < firstRows.length; i++) {
        output.writeLong(firstRows[i]);
        output.writeInt(rows[i].length);
        for (long word : rows[i]) {
          output.writeLong(word);
        }
      }
    }
  }

  public StoredTable {
    extents = List.copyOf(extents);
  }

  /// Returns the same table with other types of its columns.
  ///
  /// @param metadata of a schema message
  public StoredTable withSchema(ByteString metadata) {
    return new StoredTable(
        name,
        rowCount,
        footerOffset,
        footerByteSize,
        validated,
        extents,
        counted,
        batches,
        predicate,
        leading,
        numbering,
        metadata,
        /* microseconds= */ new int[0]);
  }

  static StoredTable read(DataInput input) throws IOException {
    String name = Payload.readText(input);
    long rowCount = input.readLong();
    long footerOffset = input.readLong();
    int footerByteSize = input.readInt();
    boolean validated = input.readBoolean();
    List<Extent> extents = new ArrayList<>();
    for (int i = Payload.readCount(input); i > 0; i--) {
      extents.add(Extent.read(input));
    }
    boolean counted = input.readBoolean();
    int[] batches = input.readBoolean() ? readInts(input) : null;
    Predicate predicate = input.readBoolean() ? PredicateFormat.read(input) : null;
    Leading leading = input.readBoolean() ? Leading.read(input) : null;
    Numbering numbering = input.readBoolean() ? Numbering.read(input) : null;
    byte[] schema = new byte[Payload.readCount(input)];
    input.readFully(schema);
    int[] microseconds = readInts(input);
    return new StoredTable(
        name,
        rowCount,
        footerOffset,
        footerByteSize,
        validated,
        extents,
        counted,
        batches,
        predicate,
        leading,
        numbering,
        ByteString.of(schema),
        microseconds);
  }

  void write(DataOutput output) throws IOException {
    Payload.writeText(output, name);
    output.writeLong(rowCount);
    output.writeLong(footerOffset);
    output.writeInt(footerByteSize);
    output.writeBoolean(validated);
    output.writeInt(extents.size());
    for (Extent extent : extents) {
      extent.write(output);
    }
    output.writeBoolean(counted);
    output.writeBoolean(batches != null);
    if (batches != null) {
      writeInts(output, batches);
    }
    output.writeBoolean(predicate != null);
    if (predicate != null) {
      PredicateFormat.write(output, predicate);
    }
    output.writeBoolean(leading != null);
    if (leading != null) {
      leading.write(output);
    }
    output.writeBoolean(numbering != null);
    if (numbering != null) {
      numbering.write(output);
    }
    output.writeInt(schema.byteSize());
    output.write(schema.toByteArray());
    writeInts(output, microseconds);
  }

  static int[] readInts(DataInput input) throws IOException {
    int[] values = new int[Payload.readCount(input)];
    for (int i = 0; i < values.length; i++) {
      values[i] = input.readInt();
    }
    return values;
  }

  static void writeInts(DataOutput output, int[] values) throws IOException {
    output.writeInt(values.length);
    for (int value : values) {
      output.writeInt(value);
    }
  }
}
