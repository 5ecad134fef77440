package dev.quiver.sql.worker;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.store.blob.BlockChecksums;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// An IPC file whose pieces are mapped until it is closed.
final class MappedFile implements AutoCloseable {

  private final String name;
  private final List<StoredTable.Extent> extents;
  private final MappedPieces mapped;
  private final List<MappedPieces.Piece> pieces = new ArrayList<>();
  private final long[] ends;

  private MappedFile(String name, List<StoredTable.Extent> extents, MappedPieces mapped) {
    this.name = name;
    this.extents = extents;
    this.mapped = mapped;
    this.ends = new long[extents.size()];
  }

  /// Maps each piece, unless it is mapped.
  ///
  /// @param name the name of the table that has the file
  static MappedFile open(String name, List<StoredTable.Extent> extents, MappedPieces mapped)
      throws IOException {
    MappedFile file = new MappedFile(name, extents, mapped);
    try {
      long end = 0;
      for (StoredTable.Extent extent : extents) {
        end = Math.addExact(end, extent.byteSize());
        file.ends[file.pieces.size()] = end;
        file.pieces.add(mapped.acquire(extent));
      }
      return file;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /// Gives up the pieces. Nothing may read them anymore.
  @Override
  public void close() {
    for (int i = 0; i < pieces.size(); i++) {
      mapped.release(extents.get(i), pieces.get(i));
    }
    pieces.clear();
  }

  long byteSize() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  /// Returns whether a range lies within one piece, so that it is mapped as a whole.
  boolean isContiguous(long byteOffset, long byteSize) {
    return byteSize == 0 || byteOffset + byteSize <= ends[pieceOf(byteOffset)];
  }

  /// Returns the bytes of a range. They are copied if several pieces have them.
  MemorySegment range(long byteOffset, long byteSize, SegmentAllocator allocator) {
    Objects.checkFromIndexSize(byteOffset, byteSize, byteSize());
    if (byteSize == 0) {
      return MemorySegment.NULL;
    }
    int piece = pieceOf(byteOffset);
    if (byteOffset + byteSize <= ends[piece]) {
      return bytes(piece).asSlice(offsetWithin(piece, byteOffset), byteSize);
    }
    MemorySegment copy = allocator.allocate(byteSize, Long.BYTES);
    long position = 0;
    while (position < byteSize) {
      long offset = offsetWithin(piece, byteOffset + position);
      long count = Math.min(byteSize - position, bytes(piece).byteSize() - offset);
      MemorySegment.copy(bytes(piece), offset, copy, position, count);
      position += count;
      piece++;
    }
    return copy;
  }

  /// Checks the blocks of a range, as far as the file has checksums.
  ///
  /// @throws DamagedFileException if one of them is damaged
  void requireIntact(long byteOffset, long byteSize) {
    requireIntact(byteOffset, byteSize, -1);
  }

  /// Checks the blocks of a range as [#requireIntact(long, long)] does, except one.
  ///
  /// @param checkedEnd the end of the block that was checked last, or -1
  /// @return the end of the block that was checked last now
  long requireIntact(long byteOffset, long byteSize, long checkedEnd) {
    Objects.checkFromIndexSize(byteOffset, byteSize, byteSize());
    long end = byteOffset + byteSize;
    long lastEnd = checkedEnd;
    for (long position = byteOffset; position < end; ) {
      int piece = pieceOf(position);
      long pieceStart = ends[piece] - bytes(piece).byteSize();
      BlockChecksums checksums = pieces.get(piece).checksums();
      int index = checksums.firstEndingAfter(position - pieceStart);
      for (; index < checksums.count(); index++) {
        BlockChecksums.Block block = checksums.block(index);
        if (block.byteOffset() >= end - pieceStart) {
          break;
        }
        if (pieceStart + block.end() != lastEnd) {
          requireIntact(piece, index, block);
        }
        lastEnd = pieceStart + block.end();
      }
      position = ends[piece];
    }
    return lastEnd;
  }

  private void requireIntact(int piece, int index, BlockChecksums.Block block) {
    MappedPieces.Piece checked = pieces.get(piece);
    if (checked.isIntact(index)) {
      return;
    }
    MemorySegment bytes = checked.bytes().asSlice(block.byteOffset(), block.byteSize());
    StoredTable.Extent extent = extents.get(piece);
    if (Crc32c.of(bytes) != block.checksum()) {
      mapped.drop(extent, checked);
      throw new DamagedFileException(
          new DamagedRange(name, extent.blob(), extent.byteOffset() + block.byteOffset()));
    }
    checked.setIntact(index);
  }

  private MemorySegment bytes(int piece) {
    return pieces.get(piece).bytes();
  }

  private long offsetWithin(int piece, long byteOffset) {
    return byteOffset - (ends[piece] - bytes(piece).byteSize());
  }

  /// Returns the first piece that ends after an offset.
  private int pieceOf(long byteOffset) {
    int low = 0;
    int high = ends.length - 1;
    while (low < high) {
      int middle = low + high >>> 1;
      if (ends[middle] > byteOffset) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }
}
