package dev.quiver.store.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.quiver.store.blob.BlockChecksums.Block;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compares joined blocks with the CRC-32C of the JDK over their bytes.
class BlockChecksumsTest {

  private static final int BYTE_SIZE = 10_000;
  private static final int GAP_START = 4_000;
  private static final int GAP_END = 4_096;

  private final byte[] bytes = new byte[BYTE_SIZE];

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1_000, Integer.MAX_VALUE})
  void joinsBlocksUpToAGap(int blockCount) {
    BlockChecksums blocks = blocks();
    BlockChecksums joined = blocks.joined(blockCount);
    List<Long> covered = new ArrayList<>();
    for (int i = 0; i < joined.count(); i++) {
      Block block = joined.block(i);
      assertThat(block.checksum()).isEqualTo(checksum(block));
      assertThat(blocks.of(block.byteOffset(), block.byteSize())).isEqualTo(block.checksum());
      covered.add(block.byteOffset());
      covered.add(block.end());
    }
    assertThat(covered).isSorted().contains(0L, (long) GAP_START, (long) GAP_END, 1L * BYTE_SIZE);
    assertThat(joined.count()).isBetween(2, Math.ceilDiv(blocks.count(), blockCount) + 1);
    assertThat(joined.equals(blocks)).isEqualTo(blockCount == 1);
  }

  @Test
  void bytesHaveAllBlocks() {
    BlockChecksums blocks = blocks();
    assertThat(BlockChecksums.of(blocks.toByteArray())).isEqualTo(blocks);
    assertThat(BlockChecksums.of(new byte[0])).isEqualTo(BlockChecksums.NONE);
  }

  @Test
  void bytesOfNoBlocksAreRejected() {
    byte[] twice = new byte[2 * 16];
    twice[7] = 1;
    for (byte[] wrong : List.of(new byte[15], twice)) {
      assertThatThrownBy(() -> BlockChecksums.of(wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /// Returns blocks of random sizes, with a gap.
  private BlockChecksums blocks() {
    Random random = new Random(1);
    random.nextBytes(bytes);
    BlockChecksums.Builder builder = new BlockChecksums.Builder();
    int position = 0;
    while (position < BYTE_SIZE) {
      int end = position < GAP_START ? GAP_START : BYTE_SIZE;
      int byteSize = Math.min(1 + random.nextInt(500), end - position);
      builder.add(position, byteSize, checksum(new Block(position, byteSize, 0)));
      position += byteSize;
      if (position == GAP_START) {
        position = GAP_END;
      }
    }
    return builder.build();
  }

  private int checksum(Block block) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, (int) block.byteOffset(), block.byteSize());
    return (int) checksum.getValue();
  }
}
