package dev.quiver.formats.parquet.file;

/// The pages of one column in a row group.
///
/// @param type the declared physical type of the values
/// @param valueCount the number of values, with nulls and empty lists
/// @param byteOffset the position of the first page in the file
/// @param byteSize the size of all pages with their headers
/// @param uncompressedByteSize the size of all pages with their headers, decompressed
public record ColumnChunk(
    PhysicalType type,
    CompressionCodec codec,
    long valueCount,
    long byteOffset,
    long byteSize,
    long uncompressedByteSize) {}
