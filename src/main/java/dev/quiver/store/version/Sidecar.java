package dev.quiver.store.version;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlockChecksums;
import dev.quiver.store.blob.BlockChecksums.Block;
import dev.quiver.store.blob.NoSuchBlobException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/// Facts about a data blob, stored in a blob beside it. Numbers are little-endian.
///
/// ```
/// Blob           --> Magic FormatVersion SectionCount Section{SectionCount} Checksum byte*
/// Magic          --> "QUIVERSC"
/// FormatVersion  --> int32, 1
/// SectionCount   --> int32
/// Section        --> see Section
/// Checksum       --> int32, CRC-32C of all bytes before it
/// BlockChecksums --> Block*, in the order of their offsets
/// Block          --> ByteOffset:int64 ByteSize:int32 CRC-32C:int32
/// Statistics     --> see BlobStatistics
/// ```
///
/// The sections' bytes follow the table.
///
/// @param statistics of the blob's record batches, as far as their values were validated
public record Sidecar(BlockChecksums checksums, BlobStatistics statistics) {

  private static final byte[] MAGIC = "QUIVERSC".getBytes(StandardCharsets.US_ASCII);
  private static final int FORMAT_VERSION = 1;
  private static final int BLOCK_BYTE_SIZE = 8 + 4 + 4;
  private static final int TABLE_START = MAGIC.length + 4 + 4;

  /// Returns the sidecar of a blob without statistics.
  public static Sidecar of(BlockChecksums checksums) {
    return new Sidecar(checksums, BlobStatistics.EMPTY);
  }

  public MemorySegment write() {
    List<Section.Content> contents = new ArrayList<>();
    contents.add(new Section.Content(Section.BLOCK_CHECKSUMS, true, content(checksums)));
    if (!statistics.isEmpty()) {
      contents.add(new Section.Content(Section.STATISTICS, false, statistics.write()));
    }
    long contentOffset = TABLE_START + contents.size() * Section.tableByteSize("") + Integer.BYTES;
    long byteSize = contentOffset;
    for (Section.Content content : contents) {
      byteSize += content.bytes().byteSize();
    }
    Cursor cursor = new Cursor(MemorySegment.ofArray(new byte[Math.toIntExact(byteSize)]));
    cursor.putBytes(MAGIC);
    cursor.putInt32(FORMAT_VERSION);
    cursor.putInt32(contents.size());
    for (Section.Content content : contents) {
      content.at(contentOffset).write(cursor);
      contentOffset += content.bytes().byteSize();
    }
    cursor.putInt32(Crc32c.of(cursor.segment().asSlice(0, cursor.position())));
    contents.forEach(content -> cursor.putSegment(content.bytes()));
    return cursor.segment();
  }

  /// Reads the sidecar of a data blob that has one.
  ///
  /// @param version the version that is read, such as `cities@3`
  /// @param opened receives the size of the sidecar before it is read
  /// @throws DamagedBlobException if the sidecar is broken, so that the data cannot be checked
  /// @throws NoSuchBlobException if it is lost, or deleted with the version
  public static Sidecar read(BlobStore store, String data, String version, LongConsumer opened)
      throws IOException {
    String key = StoreKeys.sidecar(data);
    try (Blob blob = store.open(key)) {
      opened.accept(blob.byteSize());
      try {
        return read(key, blob);
      } catch (BrokenSidecarException e) {
        if (!blob.refetch()) {
          throw e;
        }
        return read(key, blob);
      }
    } catch (BrokenSidecarException e) {
      throw Damage.PROCESS.found(version, key, e.byteOffset(), e);
    }
  }

  /// @throws BrokenSidecarException if the blob is not a sidecar
  /// @throws IOException if the blob cannot be read, or has a required section of an unknown type
  public static Sidecar read(String key, Blob blob) throws IOException {
    try {
      MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(blob.byteSize())]);
      blob.readFully(0, bytes);
      return read(bytes);
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
      throw new BrokenSidecarException(key, e);
    } catch (UnknownSectionException e) {
      throw new IOException(e.getMessage() + " at blob " + key, e);
    }
  }

  private static Sidecar read(MemorySegment bytes) throws UnknownSectionException {
    Cursor table = new Cursor(bytes);
    ManifestFormat.requireMagic(MAGIC, table);
    ManifestFormat.requireEqual(FORMAT_VERSION, table.int32());
    int count = table.int32();
    List<Section> sections = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sections.add(Section.read(table));
    }
    int found = Crc32c.of(bytes.asSlice(0, table.position()));
    ManifestFormat.requireEqual(table.int32(), found);
    BlockChecksums checksums = null;
    BlobStatistics statistics = BlobStatistics.EMPTY;
    for (Section section : sections) {
      switch (section.type()) {
        case Section.BLOCK_CHECKSUMS -> checksums = checksums(content(section, bytes));
        case Section.STATISTICS -> statistics = BlobStatistics.read(content(section, bytes));
        default -> {
          if (section.required()) {
            throw section.unknown();
          }
        }
      }
    }
    if (checksums == null) {
      throw new IllegalArgumentException("Expected checksums but found none");
    }
    return new Sidecar(checksums, statistics);
  }

  private static MemorySegment content(Section section, MemorySegment bytes) {
    return section.requireChecksum(bytes.asSlice(section.byteOffset(), section.byteSize()));
  }

  static MemorySegment content(BlockChecksums checksums) {
    int byteSize = Math.multiplyExact(checksums.count(), BLOCK_BYTE_SIZE);
    Cursor cursor = new Cursor(MemorySegment.ofArray(new byte[byteSize]));
    for (int i = 0; i < checksums.count(); i++) {
      Block block = checksums.block(i);
      cursor.putInt64(block.byteOffset());
      cursor.putInt32(block.byteSize());
      cursor.putInt32(block.checksum());
    }
    return cursor.segment();
  }

  private static BlockChecksums checksums(MemorySegment bytes) {
    Cursor cursor = new Cursor(bytes);
    BlockChecksums.Builder blocks = new BlockChecksums.Builder();
    long end = 0;
    while (cursor.remaining() > 0) {
      Block block = new Block(cursor.int64(), cursor.int32(), cursor.int32());
      if (block.byteOffset() < end || block.byteSize() <= 0) {
        throw new IllegalArgumentException("Expected a block from " + end + " but found " + block);
      }
      blocks.add(block.byteOffset(), block.byteSize(), block.checksum());
      end = block.end();
    }
    return blocks.build();
  }
}
