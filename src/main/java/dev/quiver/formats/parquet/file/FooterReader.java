package dev.quiver.formats.parquet.file;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.type.KeyValue;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.parquet.file.SchemaElement.Repetition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A reader of the metadata of a footer: the struct `FileMetaData`.
///
/// An element of a list may be many times as large in memory as in the footer. So its size is
/// charged before it is read.
final class FooterReader {

  /// The heap of elements without their texts: of a schema's, with the reader of its column.
  private static final int SCHEMA_ELEMENT_BYTE_SIZE = 1024;

  private static final int ROW_GROUP_BYTE_SIZE = 96;
  private static final int COLUMN_CHUNK_BYTE_SIZE = 80;
  private static final int KEY_VALUE_BYTE_SIZE = 160;

  private final CompactReader reader;
  private final Limit heap;
  private List<KeyValue> keyValues = List.of();
  private List<SchemaElement> schema = List.of();
  private List<RowGroup> rowGroups = List.of();
  private long rowCount;
  private long heapByteSize;

  private FooterReader(byte[] footer, Limit heap) {
    this.heap = heap;
    this.reader = new CompactReader(footer, 0, footer.length);
  }

  /// @param heap bytes that the footer and its content may take
  /// @throws ForeignDataException if the metadata is malformed, encrypted or unsupported
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if it takes too much heap
  static FileMetadata read(byte[] footer, Limit heap) {
    FooterReader reader = new FooterReader(footer, heap);
    try {
      // The texts, and the footer itself.
      reader.charge(2, footer.length);
      reader.reader.readStruct(reader::field);
    } catch (CompactReader.TruncatedException e) {
      throw truncated();
    }
    return new FileMetadata(
        reader.schema,
        reader.rowCount,
        reader.rowGroups,
        new Metadata(reader.keyValues),
        reader.heapByteSize);
  }

  private void charge(int count, long byteSize) {
    heapByteSize += count * byteSize;
    heap.check(heapByteSize, ParquetFooter.WHAT, InputLocation.UNKNOWN);
  }

  static ForeignDataException truncated() {
    return ForeignDataException.of(
        "Expected a whole footer of a Parquet file but found a damaged one");
  }

  static ForeignDataException encrypted() {
    return ForeignDataException.of(
        "Expected a Parquet file without encryption but found an encrypted one");
  }

  private static ForeignDataException damaged(String expected) {
    return ForeignDataException.of(
        "Expected a Parquet file that declares %s but found a damaged one".formatted(expected));
  }

  private void field(int id, CompactReader.Value value) {
    switch (id) {
      case 2 ->
          schema =
              value.list(
                  size -> charge(size, SCHEMA_ELEMENT_BYTE_SIZE),
                  () -> new ElementFields().read(reader));
      case 3 -> rowCount = value.int64();
      case 4 ->
          rowGroups =
              value.list(
                  size -> charge(size, ROW_GROUP_BYTE_SIZE), () -> new RowGroupFields().read());
      case 5 ->
          keyValues =
              value.list(
                  size -> charge(size, KEY_VALUE_BYTE_SIZE),
                  () -> new KeyValueFields().read(reader));
      case 8 -> throw encrypted();
      default -> {}
    }
  }

  /// The fields of a `KeyValue`. A missing value is empty, and so is a value of another type, as
  /// fastparquet before 2023 wrote booleans and integers.
  private static final class KeyValueFields {

    private String key = "";
    private ByteString value = ByteString.EMPTY;

    KeyValue read(CompactReader reader) {
      reader.readStruct(this::field);
      return new KeyValue(key, value);
    }

    private void field(int id, CompactReader.Value field) {
      if (field.isBytes()) {
        switch (id) {
          case 1 -> key = field.text();
          case 2 -> value = field.bytes();
          default -> {}
        }
      }
    }
  }

  /// The fields of a `SchemaElement`.
  private static final class ElementFields {

    private @Nullable String name;
    private @Nullable PhysicalType type;
    private int typeLength;
    private int repetition;
    private int childCount;
    private int convertedType = -1;
    private int scale;
    private int precision;
    private @Nullable LogicalType logicalType;

    SchemaElement read(CompactReader reader) {
      reader.readStruct(this::field);
      if (name == null || repetition < 0 || repetition >= Repetition.values().length) {
        throw damaged("a name and a repetition of each column");
      }
      return new SchemaElement(
          name, type, typeLength, Repetition.values()[repetition], childCount, logicalType());
    }

    private LogicalType logicalType() {
      return logicalType == null || logicalType instanceof LogicalType.None
          ? LogicalTypeReader.converted(convertedType, precision, scale)
          : logicalType;
    }

    private void field(int id, CompactReader.Value value) {
      switch (id) {
        case 1 -> type = physicalType(value.int32());
        case 2 -> typeLength = value.int32();
        case 3 -> repetition = value.int32();
        case 4 -> name = value.text();
        case 5 -> childCount = value.int32();
        case 6 -> convertedType = value.int32();
        case 7 -> scale = value.int32();
        case 8 -> precision = value.int32();
        case 10 -> logicalType = LogicalTypeReader.read(value);
        default -> {}
      }
    }
  }

  private static PhysicalType physicalType(int number) {
    PhysicalType type = PhysicalType.of(number);
    if (type == null) {
      throw ForeignDataException.of(
          "Expected a Parquet file with physical types of 0 to %d but found %d"
              .formatted(PhysicalType.values().length - 1, number));
    }
    return type;
  }

  /// The fields of a `RowGroup`.
  private final class RowGroupFields {

    private List<ColumnChunk> columns = List.of();
    private long rowCount = -1;

    RowGroup read() {
      reader.readStruct((id, value) -> {
        switch (id) {
          case 1 ->
              columns =
                  value.list(
                      size -> charge(size, COLUMN_CHUNK_BYTE_SIZE),
                      () -> new ChunkFields().read(reader));
          case 3 -> rowCount = value.int64();
          default -> {}
        }
      });
      if (rowCount < 0) {
        throw damaged("the number of rows of each row group");
      }
      return new RowGroup(rowCount, columns);
    }
  }

  /// The fields of a `ColumnChunk` and of its `ColumnMetaData`.
  private static final class ChunkFields {

    private @Nullable PhysicalType type;
    private @Nullable CompressionCodec codec;
    private long valueCount = -1;
    private long byteSize = -1;
    private long uncompressedByteSize;
    private long dataPageOffset = -1;
    private long dictionaryPageOffset;

    ColumnChunk read(CompactReader reader) {
      reader.readStruct(this::field);
      if (type == null || codec == null || valueCount < 0 || byteSize < 0 || dataPageOffset < 0) {
        throw damaged("the pages of each column");
      }
      return new ColumnChunk(
          type, codec, valueCount, byteOffset(), byteSize, Math.max(0, uncompressedByteSize));
    }

    /// Returns the position of the first page. Some writers declare the position 0, or one after
    /// the first data page, for a missing dictionary page.
    private long byteOffset() {
      return dictionaryPageOffset > 0 && dictionaryPageOffset < dataPageOffset
          ? dictionaryPageOffset
          : dataPageOffset;
    }

    private void field(int id, CompactReader.Value value) {
      switch (id) {
        case 1 -> requireSameFile(value.text());
        case 3 -> value.struct(this::metadataField);
        case 8, 9 -> throw encrypted();
        default -> {}
      }
    }

    private static void requireSameFile(String path) {
      if (!path.isEmpty()) {
        throw ForeignDataException.of(
            "Expected a Parquet file with all of its columns but found one that refers to others");
      }
    }

    private void metadataField(int id, CompactReader.Value value) {
      switch (id) {
        case 1 -> type = physicalType(value.int32());
        case 4 -> codec = codec(value.int32());
        case 5 -> valueCount = value.int64();
        case 6 -> uncompressedByteSize = value.int64();
        case 7 -> byteSize = value.int64();
        case 9 -> dataPageOffset = value.int64();
        case 11 -> dictionaryPageOffset = value.int64();
        default -> {}
      }
    }

    private static CompressionCodec codec(int number) {
      CompressionCodec codec = CompressionCodec.of(number);
      if (codec == null || codec == CompressionCodec.LZO) {
        throw ForeignDataException.of(
            "Expected a Parquet file with a codec of %s but found %s"
                .formatted(
                    "none, snappy, gzip, brotli, lz4, lz4_raw or zstd",
                    codec == null ? "number " + number : codec.name()));
      }
      return codec;
    }
  }
}
