package dev.quiver.formats.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A writer of small Parquet files, also of those that no library writes.
final class ParquetBytes {

  static final int BOOLEAN = 0;
  static final int INT32 = 1;
  static final int INT64 = 2;
  static final int INT96 = 3;
  static final int BYTE_ARRAY = 6;
  static final int FIXED = 7;

  static final int REQUIRED = 0;
  static final int OPTIONAL = 1;
  static final int REPEATED = 2;

  private final List<CompactStruct> schema = new ArrayList<>();
  private final List<CompactStruct> rowGroups = new ArrayList<>();
  private final List<CompactStruct> chunks = new ArrayList<>();
  private final ByteArrayOutputStream body = new ByteArrayOutputStream();
  private int codec;
  private int missingByteSize;
  private long groupRowCount;
  private long rowCount;

  /// @param columnCount the number of top-level columns
  /// @param rowCount the rows of the first row group
  ParquetBytes(int columnCount, long rowCount) {
    this(new CompactStruct().text(4, "schema").integer(5, columnCount), rowCount);
  }

  /// @param root of the schema
  /// @param rowCount the rows of the first row group
  ParquetBytes(CompactStruct root, long rowCount) {
    this.groupRowCount = rowCount;
    this.rowCount = rowCount;
    schema.add(root);
    body.writeBytes("PAR1".getBytes(StandardCharsets.US_ASCII));
  }

  ParquetBytes codec(int number) {
    codec = number;
    return this;
  }

  /// Declares fewer bytes than the next column chunks have.
  ParquetBytes missing(int byteSize) {
    missingByteSize = byteSize;
    return this;
  }

  ParquetBytes leaf(int type, int repetition, String name) {
    return element(new CompactStruct().integer(1, type).integer(3, repetition).text(4, name));
  }

  /// @param convertedType what the group is, or -1
  ParquetBytes group(int repetition, String name, int childCount, int convertedType) {
    CompactStruct group =
        new CompactStruct().integer(3, repetition).text(4, name).integer(5, childCount);
    return element(convertedType < 0 ? group : group.integer(6, convertedType));
  }

  ParquetBytes element(CompactStruct element) {
    schema.add(element);
    return this;
  }

  /// Ends the row group, and begins another one.
  ParquetBytes rowGroup(long nextRowCount) {
    rowGroups.add(currentRowGroup());
    chunks.clear();
    groupRowCount = nextRowCount;
    rowCount += nextRowCount;
    return this;
  }

  /// Adds the row group once more, with the same column chunks.
  ParquetBytes repeat() {
    rowGroups.add(currentRowGroup());
    rowCount += groupRowCount;
    return this;
  }

  /// States another number of rows in the footer.
  ParquetBytes rowCount(long stated) {
    rowCount = stated;
    return this;
  }

  /// Adds a column chunk.
  ///
  /// @param dictionary whether the first page is one
  ParquetBytes chunk(int type, long valueCount, boolean dictionary, byte[]... pages) {
    long start = body.size();
    for (byte[] page : pages) {
      body.writeBytes(page);
    }
    CompactStruct metadata =
        new CompactStruct()
            .integer(1, type)
            .integer(4, codec)
            .number(5, valueCount)
            .number(6, body.size() - start)
            .number(7, body.size() - start - missingByteSize)
            .number(9, start + (dictionary ? pages[0].length : 0));
    chunks.add(
        new CompactStruct()
            .number(2, start)
            .struct(3, dictionary ? metadata.number(11, start) : metadata));
    return this;
  }

  /// Returns a data page of version 1.
  ///
  /// @param content levels and values, not compressed
  static byte[] page(int valueCount, int encoding, byte[]... content) {
    return page(valueCount, encoding, 3, content);
  }

  static byte[] page(int valueCount, int encoding, int levelEncoding, byte[]... content) {
    byte[] bytes = join(content);
    CompactStruct data =
        new CompactStruct()
            .integer(1, valueCount)
            .integer(2, encoding)
            .integer(3, levelEncoding)
            .integer(4, levelEncoding);
    return join(header(0, bytes.length, bytes.length).struct(5, data).end(), bytes);
  }

  static byte[] dictionary(int valueCount, byte[] values) {
    CompactStruct dictionary = new CompactStruct().integer(1, valueCount).integer(2, 0);
    return join(header(2, values.length, values.length).struct(7, dictionary).end(), values);
  }

  static CompactStruct header(int kind, int byteSize, int compressedByteSize) {
    return new CompactStruct().integer(1, kind).integer(2, byteSize).integer(3, compressedByteSize);
  }

  /// Returns levels with their size, as bits of packed groups.
  static byte[] levels(int bitWidth, int... levels) {
    byte[] packed = packed(bitWidth, levels);
    return join(int32(packed.length), packed);
  }

  /// Returns numbers as packed groups of a hybrid.
  static byte[] packed(int bitWidth, int... numbers) {
    int groups = (numbers.length + 7) / 8;
    byte[] bytes = new byte[groups * bitWidth];
    for (int i = 0; i < numbers.length * bitWidth; i++) {
      int bit = numbers[i / bitWidth] >> i % bitWidth & 1;
      bytes[i / 8] |= (byte) (bit << i % 8);
    }
    return join(varint(groups << 1 | 1), bytes);
  }

  /// Returns a run of a number of at most 8 bits.
  static byte[] run(int count, int number) {
    return join(varint((long) count << 1), new byte[] {(byte) number});
  }

  private static byte[] varint(long value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    long rest = value;
    for (; rest > 0x7F; rest >>>= 7) {
      bytes.write((int) rest & 0x7F | 0x80);
    }
    bytes.write((int) rest);
    return bytes.toByteArray();
  }

  static byte[] int32(int... values) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int value : values) {
      bytes.putInt(value);
    }
    return bytes.array();
  }

  static byte[] int64(long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      bytes.putLong(value);
    }
    return bytes.array();
  }

  static byte[] text(String... values) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String value : values) {
      byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
      bytes.writeBytes(int32(encoded.length));
      bytes.writeBytes(encoded);
    }
    return bytes.toByteArray();
  }

  static byte[] join(byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }

  byte[] end() {
    List<CompactStruct> groups = new ArrayList<>(rowGroups);
    groups.add(currentRowGroup());
    return end(
        new CompactStruct().integer(1, 1).list(2, schema).number(3, rowCount).list(4, groups));
  }

  private CompactStruct currentRowGroup() {
    return new CompactStruct().list(1, chunks).number(2, 1).number(3, groupRowCount);
  }

  /// Returns a file without row groups.
  byte[] endWithoutRows() {
    return end(new CompactStruct().integer(1, 1).list(2, schema).number(3, rowCount));
  }

  /// Returns the file with another footer.
  byte[] end(CompactStruct footer) {
    byte[] metadata = footer.end();
    return join(
        body.toByteArray(),
        metadata,
        int32(metadata.length),
        "PAR1".getBytes(StandardCharsets.US_ASCII));
  }
}
