package dev.quiver.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.metadata.Block;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// How batches are shared out among readers. What they fetch is in [PartitionsTest].
class BatchRangeTest {

  private static final int META_DATA_LENGTH = 8;

  private static List<Block> batches(long... byteSizes) {
    return LongStream.of(byteSizes)
        .mapToObj(byteSize -> new Block(0, META_DATA_LENGTH, byteSize - META_DATA_LENGTH))
        .toList();
  }

  @Test
  void dividesEqualBatchesEqually() {
    assertThat(BatchRange.divide(batches(100, 100, 100, 100, 100, 100), 3))
        .containsExactly(new BatchRange(0, 1), new BatchRange(2, 3), new BatchRange(4, 5));
  }

  @Test
  void largeBatchIsARangeOfItsOwn() {
    assertThat(BatchRange.divide(batches(1000, 10, 10, 10), 2))
        .containsExactly(new BatchRange(0, 0), new BatchRange(1, 3));
    assertThat(BatchRange.divide(batches(10, 10, 10, 1000), 3))
        .containsExactly(new BatchRange(0, 1), new BatchRange(2, 2), new BatchRange(3, 3));
  }

  @Test
  void returnsAtMostOneRangePerBatch() {
    assertThat(BatchRange.divide(batches(100, 100), 5))
        .containsExactly(new BatchRange(0, 0), new BatchRange(1, 1));
    assertThat(BatchRange.divide(batches(), 5)).isEmpty();
  }

  @Test
  void dividesLargeSizesWithoutOverflow() {
    List<Block> batches = new ArrayList<>(Collections.nCopies(4, batches(1L << 60).getFirst()));
    assertThat(BatchRange.divide(batches, 2))
        .containsExactly(new BatchRange(0, 1), new BatchRange(2, 3));
  }

  @Test
  void rangesAreConsecutiveAndFair() {
    Random random = new Random(4);
    for (int round = 0; round < 500; round++) {
      long[] sizes = random.longs(1 + random.nextInt(60), 8, 10_000).toArray();
      List<Block> batches = batches(sizes);
      int count = 1 + random.nextInt(20);
      List<BatchRange> runs = BatchRange.divide(batches, count);
      assertThat(runs).hasSize(Math.min(count, sizes.length));
      int next = 0;
      double share = (double) BatchRange.byteSize(batches) / runs.size();
      for (BatchRange run : runs) {
        assertThat(run.from()).isEqualTo(next);
        assertThat(run.to()).isGreaterThanOrEqualTo(run.from());
        next = run.to() + 1;
        long byteSize = BatchRange.byteSize(batches.subList(run.from(), next));
        long edges = sizes[run.from()] + sizes[run.to()];
        assertThat((double) byteSize).isLessThan(share + edges + 1);
      }
      assertThat(next).isEqualTo(sizes.length);
    }
  }
}
