package dev.quiver.web.response;

import dev.quiver.metadata.Block;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;

/// Two lists of blocks one after the other, at other offsets, without a copy: there may be a
/// million.
public final class RebasedBlocks extends AbstractList<Block> implements RandomAccess {

  private final List<Block> first;
  private final List<Block> second;
  private final long shift;

  public RebasedBlocks(List<Block> first, List<Block> second, long shift) {
    this.first = first;
    this.second = second;
    this.shift = shift;
  }

  @Override
  public Block get(int index) {
    Block block =
        index < first.size()
            ? first.get(index)
            : second.get(Math.subtractExact(index, first.size()));
    return new Block(block.offset() + shift, block.metaDataLength(), block.bodyLength());
  }

  @Override
  public int size() {
    return first.size() + second.size();
  }
}
