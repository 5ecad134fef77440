package dev.quiver.arrow.metadata;

import java.util.AbstractList;
import java.util.List;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/// An unmodifiable list of blocks, stored as primitive numbers since a file may have a million.
final class BlockList extends AbstractList<Block> implements RandomAccess {

  private final long[] offsets;
  private final int[] metaDataLengths;
  private final long[] bodyLengths;

  private BlockList(int size) {
    this.offsets = new long[size];
    this.metaDataLengths = new int[size];
    this.bodyLengths = new long[size];
  }

  /// @param blocks returns the block at each index; called once per index, in order
  static BlockList of(int size, IntFunction<Block> blocks) {
    BlockList list = new BlockList(size);
    for (int i = 0; i < size; i++) {
      Block block = blocks.apply(i);
      list.offsets[i] = block.offset();
      list.metaDataLengths[i] = block.metaDataLength();
      list.bodyLengths[i] = block.bodyLength();
    }
    return list;
  }

  static BlockList copyOf(List<Block> blocks) {
    return blocks instanceof BlockList list ? list : of(blocks.size(), blocks::get);
  }

  @Override
  public Block get(int index) {
    Objects.checkIndex(index, offsets.length);
    return new Block(offsets[index], metaDataLengths[index], bodyLengths[index]);
  }

  @Override
  public int size() {
    return offsets.length;
  }
}
