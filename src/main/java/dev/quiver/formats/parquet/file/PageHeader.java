package dev.quiver.formats.parquet.file;

import dev.quiver.formats.ForeignDataException;
import org.jspecify.annotations.Nullable;

/// The header of a page, reused for all pages of a column.
public final class PageHeader {

  /// The type of a page. Ordinals are the numbers in files.
  public enum Kind {
    DATA,
    INDEX,
    DICTIONARY,
    DATA_V2
  }

  private static final Kind[] KINDS = Kind.values();

  private int kind;
  private int encoding;
  private int definitionEncoding;
  private int repetitionEncoding;
  private int compressedByteSize;
  private int uncompressedByteSize;
  private int valueCount;
  private int definitionByteSize;
  private int repetitionByteSize;
  private boolean isCompressed;
  private @Nullable Integer checksum;
  private int byteSize;

  /// Reads the header that begins at `start`.
  ///
  /// @return false if the header is longer than the bytes up to `end`
  /// @throws ForeignDataException if the header is malformed
  public boolean read(byte[] bytes, int start, int end) {
    reset();
    CompactReader reader = new CompactReader(bytes, start, end);
    try {
      reader.readStruct(this::field);
    } catch (CompactReader.TruncatedException e) {
      return false;
    }
    byteSize = reader.position() - start;
    requireFields();
    return true;
  }

  private void reset() {
    kind = -1;
    compressedByteSize = -1;
    uncompressedByteSize = -1;
    valueCount = -1;
    encoding = -1;
    definitionEncoding = Encoding.RLE.ordinal();
    repetitionEncoding = Encoding.RLE.ordinal();
    definitionByteSize = 0;
    repetitionByteSize = 0;
    isCompressed = true;
    checksum = null;
  }

  private void requireFields() {
    boolean hasValues = isKnown() && kind() != Kind.INDEX;
    if (kind < 0
        || compressedByteSize < 0
        || uncompressedByteSize < 0
        || (hasValues && valueCount < 0)
        || definitionByteSize < 0
        || repetitionByteSize < 0
        || (long) definitionByteSize + repetitionByteSize
            > Math.min(compressedByteSize, uncompressedByteSize)) {
      throw damaged();
    }
  }

  /// Returns an error about headers that are malformed or end too late.
  public static ForeignDataException damaged() {
    return ForeignDataException.of(
        "Expected a Parquet file with valid page headers but found a damaged one");
  }

  private void field(int id, CompactReader.Value value) {
    switch (id) {
      case 1 -> kind = value.int32();
      case 2 -> uncompressedByteSize = value.int32();
      case 3 -> compressedByteSize = value.int32();
      case 4 -> checksum = value.int32();
      case 5 -> value.struct(this::dataField);
      case 7 -> value.struct(this::dictionaryField);
      case 8 -> value.struct(this::dataFieldOfVersion2);
      default -> {}
    }
  }

  private void dataField(int id, CompactReader.Value value) {
    switch (id) {
      case 1 -> valueCount = value.int32();
      case 2 -> encoding = value.int32();
      case 3 -> definitionEncoding = value.int32();
      case 4 -> repetitionEncoding = value.int32();
      default -> {}
    }
  }

  private void dictionaryField(int id, CompactReader.Value value) {
    switch (id) {
      case 1 -> valueCount = value.int32();
      case 2 -> encoding = value.int32();
      default -> {}
    }
  }

  private void dataFieldOfVersion2(int id, CompactReader.Value value) {
    switch (id) {
      case 1 -> valueCount = value.int32();
      case 4 -> encoding = value.int32();
      case 5 -> definitionByteSize = value.int32();
      case 6 -> repetitionByteSize = value.int32();
      case 7 -> isCompressed = value.bool();
      default -> {}
    }
  }

  /// Returns whether [#kind] is known. Readers skip pages of other kinds.
  public boolean isKnown() {
    return kind >= 0 && kind < KINDS.length;
  }

  public Kind kind() {
    return KINDS[kind];
  }

  /// Returns the encoding of the values, or null if unknown.
  public @Nullable Encoding encoding() {
    return Encoding.of(encoding);
  }

  /// Returns the encoding of the definition levels of a page of version 1, or null if unknown.
  public @Nullable Encoding definitionEncoding() {
    return Encoding.of(definitionEncoding);
  }

  /// Returns the encoding of the repetition levels of a page of version 1, or null if unknown.
  public @Nullable Encoding repetitionEncoding() {
    return Encoding.of(repetitionEncoding);
  }

  /// Returns the size of the page in the file, without its header.
  public int compressedByteSize() {
    return compressedByteSize;
  }

  /// Returns the size of the decompressed page, without its header.
  public int uncompressedByteSize() {
    return uncompressedByteSize;
  }

  /// Returns the CRC-32 of the page in the file, without its header, or null if absent.
  public @Nullable Integer checksum() {
    return checksum;
  }

  /// Returns the number of values, which for data pages includes nulls.
  public int valueCount() {
    return valueCount;
  }

  /// Returns the size of the definition levels of a page of version 2.
  public int definitionByteSize() {
    return definitionByteSize;
  }

  /// Returns the size of the repetition levels of a page of version 2.
  public int repetitionByteSize() {
    return repetitionByteSize;
  }

  /// Returns whether the values of a page of version 2 are compressed.
  public boolean isCompressed() {
    return isCompressed;
  }

  /// Returns the size of the header itself.
  public int byteSize() {
    return byteSize;
  }
}
