package dev.quiver.dataset;

import dev.quiver.metadata.Block;
import java.util.ArrayList;
import java.util.List;

/// The messages of a blob in the order of a stream: schema, dictionaries, batches. In the blob they
/// may lie in another one, with something between them that nobody reads any more.
final class CanonicalOrder {

  private final List<ByteRange> ranges = new ArrayList<>();
  private final List<Block> dictionaries = new ArrayList<>();
  private final List<Block> recordBatches = new ArrayList<>();
  private long end;

  /// @param schemaEnd where the schema message ends
  CanonicalOrder(long schemaEnd, Iterable<Block> dictionaries, Iterable<Block> recordBatches) {
    append(0, schemaEnd);
    dictionaries.forEach(block -> this.dictionaries.add(append(block)));
    recordBatches.forEach(block -> this.recordBatches.add(append(block)));
  }

  /// The ranges of the blob, those that lie together joined.
  List<ByteRange> ranges() {
    return ranges;
  }

  /// Where the dictionaries are in the concatenation of the ranges.
  List<Block> dictionaries() {
    return dictionaries;
  }

  /// Where the batches are in the concatenation of the ranges.
  List<Block> recordBatches() {
    return recordBatches;
  }

  /// Bytes of all ranges.
  long byteSize() {
    return end;
  }

  private Block append(Block block) {
    Block moved = new Block(end, block.metaDataLength(), block.bodyLength());
    append(block.offset(), block.end() - block.offset());
    return moved;
  }

  private void append(long offset, long byteSize) {
    ByteRange last = ranges.isEmpty() ? null : ranges.getLast();
    if (last != null && last.byteOffset() + last.byteSize() == offset) {
      ranges.set(ranges.size() - 1, new ByteRange(last.byteOffset(), last.byteSize() + byteSize));
    } else {
      ranges.add(new ByteRange(offset, byteSize));
    }
    end += byteSize;
  }
}
