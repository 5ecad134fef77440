package dev.quiver.store.file;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.store.blob.BlockChecksums.Block;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// The body of a stored message, which must not be used before its blocks have been compared with
/// their checksums.
public final class UncheckedBody {

  private final MemorySegment body;
  private final MemorySegment lent;
  private final long byteOffset;
  private final List<Block> blocks;

  /// @param body usable by the thread that has read it
  /// @param lent the same bytes, usable by any thread
  /// @param byteOffset the offset of the body in its blob
  /// @param blocks those to compare, which lie within the body
  UncheckedBody(MemorySegment body, MemorySegment lent, long byteOffset, List<Block> blocks) {
    this.body = body;
    this.lent = lent;
    this.byteOffset = byteOffset;
    this.blocks = blocks;
  }

  /// Returns a body that has been checked.
  static UncheckedBody ofIntact(MemorySegment body) {
    return new UncheckedBody(body, body, 0, List.of());
  }

  /// Returns the bytes, of which the positions and sizes of arrays may be formed before they are
  /// checked.
  public MemorySegment bytes() {
    return body;
  }

  /// Compares the blocks, in any thread. If one is damaged, the body has to be read by
  /// [SnapshotBytes#body], which fetches a local copy again and else tells the damage.
  public boolean isIntact() {
    for (Block block : blocks) {
      long from = block.byteOffset() - byteOffset;
      if (Crc32c.of(lent.asSlice(from, block.byteSize())) != block.checksum()) {
        return false;
      }
    }
    return true;
  }
}
