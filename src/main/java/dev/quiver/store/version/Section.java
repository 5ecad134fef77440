package dev.quiver.store.version;

import dev.quiver.arrow.codec.Crc32c;
import java.lang.foreign.MemorySegment;

/// A typed range of bytes that belongs to a manifest or a sidecar.
///
/// ```
/// Section         --> Type Required ByteOffset ByteSize SectionChecksum Text, the key of a blob;
///                     empty for the blob with the table
/// Type            --> int32
/// Required        --> int32: 1 if a reader must know the type, or else 0
/// ByteOffset      --> int64
/// ByteSize        --> int64
/// SectionChecksum --> int32, CRC-32C of the section's bytes
/// Text            --> int32, bytes of the UTF-8 that follows
/// ```
///
/// Type numbers are permanent. A reader skips an optional section of an unknown type, and rejects a
/// blob with a required one.
///
/// @param blob the key of the blob that has the bytes; empty if it is the blob with the table
/// @param checksum CRC-32C of the bytes
public record Section(
    int type, boolean required, String blob, long byteOffset, long byteSize, int checksum) {

  /// The ranges of blobs that the file consists of.
  static final int EXTENTS = 1;

  // 2 is reserved for the start of a file that no data blob has, and 4 for row counts.

  /// The end of the file, after the extents.
  static final int TAIL = 3;

  /// Remembered writes with idempotency keys. A manifest has any number of these, oldest first.
  static final int KEYS = 5;

  /// The statement that computed the rows, as JSON: see LineageJson.
  static final int LINEAGE = 6;

  /// The checksums of the file and of its extents.
  static final int CHECKSUMS = 8;

  /// The number of the last version that replaced all rows: an int64.
  static final int LAST_REPLACEMENT = 10;

  /// In a sidecar: the statistics of record batches.
  static final int STATISTICS = 9;

  // 7 is reserved for the expiry, which the summary has, and 11 for segments.

  /// In a sidecar: the checksums of the data in blocks.
  static final int BLOCK_CHECKSUMS = 12;

  /// The digest sent with the upload.
  static final int UPLOAD_DIGEST = 13;

  /// The writers of the data blobs: see BlobWriters.
  static final int WRITERS = 14;

  /// The columns that an append converted, as JSON: see ConversionsJson.
  static final int CONVERSIONS = 15;

  /// The parameters of the last file of text, as JSON: see FileParametersJson.
  static final int FILE_PARAMETERS = 16;

  private static final int FIXED_BYTE_SIZE = 4 + 4 + 8 + 8 + 4;

  static Section read(Cursor table) {
    int type = table.int32();
    boolean required = table.int32() != 0;
    long byteOffset = table.int64();
    long byteSize = table.int64();
    int checksum = table.int32();
    if (byteOffset < 0 || byteSize < 0) {
      throw new IllegalArgumentException(
          "Expected a section of some bytes but found %d at %d".formatted(byteSize, byteOffset));
    }
    return new Section(type, required, table.text(), byteOffset, byteSize, checksum);
  }

  static long tableByteSize(String blob) {
    return FIXED_BYTE_SIZE + Cursor.byteSize(blob);
  }

  void write(Cursor table) {
    table.putInt32(type);
    table.putInt32(required ? 1 : 0);
    table.putInt64(byteOffset);
    table.putInt64(byteSize);
    table.putInt32(checksum);
    table.putText(blob);
  }

  /// Returns whether the blob with the table has the bytes.
  boolean isLocal() {
    return blob.isEmpty();
  }

  /// Returns whether another blob may have the bytes.
  boolean mayBeElsewhere() {
    return switch (type) {
      case EXTENTS,
          TAIL,
          LINEAGE,
          CHECKSUMS,
          UPLOAD_DIGEST,
          WRITERS,
          CONVERSIONS,
          FILE_PARAMETERS ->
          false;
      default -> true;
    };
  }

  long end() {
    return Math.addExact(byteOffset, byteSize);
  }

  /// @throws IllegalArgumentException if these are not the bytes of the section
  MemorySegment requireChecksum(MemorySegment bytes) {
    int found = Crc32c.of(bytes);
    if (found != checksum) {
      throw new BrokenBytesException(byteOffset, checksum, found);
    }
    return bytes;
  }

  /// Returns the error about this section of an unknown type, which is required.
  UnknownSectionException unknown() {
    return new UnknownSectionException(type);
  }

  /// The bytes of a section in the blob with the table.
  record Content(int type, boolean required, MemorySegment bytes) {

    Section at(long byteOffset) {
      return new Section(type, required, "", byteOffset, bytes.byteSize(), Crc32c.of(bytes));
    }
  }
}
