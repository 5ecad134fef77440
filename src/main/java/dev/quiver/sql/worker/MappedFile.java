package dev.quiver.sql.worker;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.store.blob.BlockChecksums;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.channels.FileChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;

/// An IPC file whose pieces are mapped.
final class MappedFile {

  private final String name;
  private final List<StoredTable.Extent> extents;
  private final MemorySegment[] pieces;
  private final long[] ends;

  private MappedFile(
      String name, List<StoredTable.Extent> extents, MemorySegment[] pieces, long[] ends) {
    this.name = name;
    this.extents = extents;
    this.pieces = pieces;
    this.ends = ends;
  }

  /// Maps each piece for as long as `arena` lives.
  ///
  /// @param name the name of the table that has the file
  static MappedFile map(String name, List<StoredTable.Extent> extents, Arena arena)
      throws IOException {
    MemorySegment[] pieces = new MemorySegment[extents.size()];
    long[] ends = new long[extents.size()];
    long end = 0;
    for (int i = 0; i < ends.length; i++) {
      StoredTable.Extent extent = extents.get(i);
      pieces[i] = map(extent, arena);
      end = Math.addExact(end, extent.byteSize());
      ends[i] = end;
    }
    return new MappedFile(name, extents, pieces, ends);
  }

  private static MemorySegment map(StoredTable.Extent extent, Arena arena) throws IOException {
    try (FileChannel channel = FileChannel.open(path(extent), StandardOpenOption.READ)) {
      if (extent.byteOffset() > channel.size() - extent.byteSize()) {
        throw new EOFException("Expected " + extent + " but found " + channel.size() + " bytes");
      }
      return channel.map(
          FileChannel.MapMode.READ_ONLY, extent.byteOffset(), extent.byteSize(), arena);
    }
  }

  private static Path path(StoredTable.Extent extent) throws IOException {
    try {
      return Path.of(extent.path());
    } catch (InvalidPathException e) {
      throw new IOException(e);
    }
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
      return pieces[piece].asSlice(offsetWithin(piece, byteOffset), byteSize);
    }
    MemorySegment copy = allocator.allocate(byteSize, Long.BYTES);
    long position = 0;
    while (position < byteSize) {
      long offset = offsetWithin(piece, byteOffset + position);
      long count = Math.min(byteSize - position, pieces[piece].byteSize() - offset);
      MemorySegment.copy(pieces[piece], offset, copy, position, count);
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
      long pieceStart = ends[piece] - pieces[piece].byteSize();
      BlockChecksums checksums = extents.get(piece).checksums();
      int index = checksums.firstEndingAfter(position - pieceStart);
      for (; index < checksums.count(); index++) {
        BlockChecksums.Block block = checksums.block(index);
        if (block.byteOffset() >= end - pieceStart) {
          break;
        }
        if (pieceStart + block.end() != lastEnd) {
          requireIntact(piece, block);
        }
        lastEnd = pieceStart + block.end();
      }
      position = ends[piece];
    }
    return lastEnd;
  }

  private void requireIntact(int piece, BlockChecksums.Block block) {
    MemorySegment bytes = pieces[piece].asSlice(block.byteOffset(), block.byteSize());
    if (Crc32c.of(bytes) != block.checksum()) {
      StoredTable.Extent extent = extents.get(piece);
      throw new DamagedFileException(
          new DamagedRange(name, extent.blob(), extent.byteOffset() + block.byteOffset()));
    }
  }

  private long offsetWithin(int piece, long byteOffset) {
    return byteOffset - (ends[piece] - pieces[piece].byteSize());
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
