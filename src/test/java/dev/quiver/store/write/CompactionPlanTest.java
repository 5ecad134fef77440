package dev.quiver.store.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.store.version.BlobExtent;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/// A simulation of compaction. Pieces stay few and bytes are rarely rewritten, whatever the sizes
/// of the dataset and its appends.
class CompactionPlanTest {

  private static final long KIBI = 1 << 10;
  private static final long MEBI = 1 << 20;
  private static final long BATCH_BYTE_SIZE = 8 * MEBI;

  private final List<CompactionPlan.Input> pieces = new ArrayList<>();
  private long appendedByteSize;
  private long writtenByteSize;

  @Test
  void equalAppendsLeaveFewPieces() {
    append(100_000, () -> KIBI);
    assertThat(pieces).hasSizeLessThan(64);
    assertThat(writtenByteSize).isLessThan(6 * appendedByteSize);
  }

  @Test
  void appendsOfAllSizesLeaveFewSmallPieces() {
    SplittableRandom random = new SplittableRandom(1);
    append(20_000, () -> (long) Math.exp(random.nextDouble(Math.log(200), Math.log(20 * MEBI))));
    assertThat(CompactionPlan.smallCount(pieces)).isLessThanOrEqualTo(256);
    assertThat(writtenByteSize).isLessThan(6 * appendedByteSize);
  }

  /// Large batches are not compacted, however many there are.
  @Test
  void smallAppendsDoNotRewriteLargeBatches() {
    pieces.add(new CompactionPlan.Input(extent(20L << 30), 0, 2_500));
    append(3_000, () -> 10 * KIBI);
    assertThat(pieces).hasSizeLessThan(64);
    assertThat(writtenByteSize).isLessThan(6 * appendedByteSize);
  }

  @Test
  void smallAppendsDoNotRewriteLargePieces() {
    for (int i = 0; i < 300; i++) {
      pieces.add(new CompactionPlan.Input(extent(70 * MEBI), 0, 9));
    }
    append(3_000, () -> MEBI);
    assertThat(writtenByteSize).isLessThan(9 * appendedByteSize / 4);
  }

  /// Batches with custom metadata are never coalesced.
  @Test
  void batchesThatCannotBeCoalescedAreRarelyRewritten() {
    for (int i = 0; i < 10_000; i++) {
      appendPiece(KIBI, 1);
      while (compact(Integer.MAX_VALUE)) {
        // One compaction may make another one due.
      }
    }
    assertThat(writtenByteSize).isLessThan(12 * appendedByteSize);
  }

  /// The order of the sizes rarely puts similar ones next to each other.
  @Test
  void appendsInAnUnfavorableOrderLeaveFewSmallPieces() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 20_000; i++) {
      int ruler = Integer.numberOfTrailingZeros(i + 1);
      append(1, () -> Math.min(60 * MEBI, KIBI << ruler) + random.nextLong(KIBI));
    }
    assertThat(CompactionPlan.smallCount(pieces)).isLessThanOrEqualTo(256);
    assertThat(writtenByteSize).isLessThan(8 * appendedByteSize);
  }

  private void append(int count, LongSupplier byteSizes) {
    for (int i = 0; i < count; i++) {
      appendPiece(byteSizes.getAsLong(), 1);
      while (compact(1)) {
        // One compaction may make another one due.
      }
    }
  }

  private void appendPiece(long byteSize, int batchCount) {
    pieces.add(new CompactionPlan.Input(extent(byteSize), 0, batchCount));
    appendedByteSize += byteSize;
  }

  /// @param minimumBatches the number of batches that each compacted run keeps at least, if it has
  ///   that many
  private boolean compact(int minimumBatches) {
    List<CompactionPlan.Run> due = CompactionPlan.due(pieces, CompactionPolicy.DEFAULT);
    for (CompactionPlan.Run run : due.reversed()) {
      List<CompactionPlan.Input> compacted = pieces.subList(run.start(), run.end());
      long byteSize = compacted.stream().mapToLong(piece -> piece.extent().byteSize()).sum();
      int batches = compacted.stream().mapToInt(CompactionPlan.Input::batchCount).sum();
      writtenByteSize += byteSize;
      compacted.clear();
      int coalesced = (int) Math.ceilDiv(byteSize, BATCH_BYTE_SIZE);
      pieces.add(
          run.start(),
          new CompactionPlan.Input(
              extent(byteSize), 0, Math.min(batches, Math.max(coalesced, minimumBatches))));
    }
    return !due.isEmpty();
  }

  private static BlobExtent extent(long byteSize) {
    return new BlobExtent("data/_x_/y", 0, byteSize);
  }
}
