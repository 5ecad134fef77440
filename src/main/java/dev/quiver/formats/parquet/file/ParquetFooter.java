package dev.quiver.formats.parquet.file;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// The footer of a file: the metadata, its size and the magic number.
///
/// ```text
/// File → PAR1 Page* Metadata MetadataByteSize:4 PAR1
/// ```
public final class ParquetFooter {

  private static final int MAGIC = 0x3152_4150; // PAR1
  private static final int ENCRYPTED_MAGIC = 0x4552_4150; // PARE
  private static final int TAIL_BYTE_SIZE = 8;
  private static final int HEAD_BYTE_SIZE = 4;
  private static final int ARRAY_SIZE_MAXIMUM = Integer.MAX_VALUE - 8;
  static final String WHAT = "bytes of the footer of a Parquet file";

  private ParquetFooter() {}

  /// Reads the metadata of a file.
  ///
  /// @param byteSizes bytes of the metadata in the file
  /// @param heap bytes that the metadata may take in the heap
  /// @throws ForeignDataException if the file is not a Parquet file, is encrypted, or its metadata
  ///   is malformed
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the metadata exceeds a limit
  public static FileMetadata read(FileChannel file, Limit byteSizes, Limit heap)
      throws IOException {
    long fileByteSize = file.size();
    if (fileByteSize < HEAD_BYTE_SIZE + TAIL_BYTE_SIZE) {
      throw otherBytes();
    }
    byte[] tail = read(file, fileByteSize - TAIL_BYTE_SIZE, TAIL_BYTE_SIZE);
    int magic = LittleEndian.getInt32(tail, Integer.BYTES);
    if (magic == ENCRYPTED_MAGIC) {
      throw FooterReader.encrypted();
    }
    if (magic != MAGIC) {
      throw otherBytes();
    }
    long byteSize = LittleEndian.getInt32(tail, 0) & 0xFFFF_FFFFL;
    if (byteSize > fileByteSize - HEAD_BYTE_SIZE - TAIL_BYTE_SIZE) {
      throw FooterReader.truncated();
    }
    byteSizes.check(byteSize, WHAT, InputLocation.UNKNOWN);
    new Limit(heap.name(), Math.min(heap.maximum(), ARRAY_SIZE_MAXIMUM))
        .check(byteSize, WHAT, InputLocation.UNKNOWN);
    return FooterReader.read(
        read(file, fileByteSize - TAIL_BYTE_SIZE - byteSize, (int) byteSize), heap);
  }

  private static byte[] read(FileChannel file, long byteOffset, int byteSize) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(byteSize);
    while (bytes.hasRemaining()) {
      if (file.read(bytes, byteOffset + bytes.position()) < 0) {
        throw FooterReader.truncated();
      }
    }
    return bytes.array();
  }

  private static ForeignDataException otherBytes() {
    return ForeignDataException.of(
        "Expected a Parquet file but found other bytes at its end: it is truncated or of another"
            + " format");
  }
}
