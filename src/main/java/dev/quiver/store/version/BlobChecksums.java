package dev.quiver.store.version;

import dev.quiver.store.blob.BlockChecksums;
import dev.quiver.store.blob.BlockChecksums.Block;
import java.lang.foreign.MemorySegment;

/// The stored form of the checksums of a blob.
///
/// ```
/// BlockChecksums --> Block*, in the order of their offsets
/// Block          --> ByteOffset:int64 ByteSize:int32 CRC-32C:int32
/// ```
final class BlobChecksums {

  private static final int BLOCK_BYTE_SIZE = 8 + 4 + 4;

  private BlobChecksums() {}

  static MemorySegment write(BlockChecksums checksums) {
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

  static BlockChecksums read(MemorySegment bytes) {
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
