package dev.quiver.server.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The parsing of batch ranges in paths, and the division of batches into ranges of similar size,
/// one for each reader. [BatchesTest] and [PartitionsTest] read such ranges over HTTP.
class BatchRangeTest {

  private static long[] batches(long... sizes) {
    return sizes;
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, 0",
    "9, 9, 9",
    "3.arrows, 3, 3",
    "3-7, 3, 7",
    "0-9.arrows, 0, 9",
    "4-4, 4, 4",
    "0000000000000003-07, 3, 7"
  })
  void parsesPathSegmentsOfAVersionOfTenBatches(String segment, long from, long to) {
    assertThat(BatchRange.parse(segment, 10)).isEqualTo(new BatchRange(from, to));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10",
        "3-10",
        "7-3",
        "-1",
        "-",
        "3-",
        "3-4-5",
        "+3",
        " 3",
        "3.arrow",
        ".arrows",
        "three",
        "9999999999999999999999"
      })
  void rejectsInvalidPathSegmentsOfAVersionOfTenBatches(String segment) {
    assertThat(BatchRange.parse(segment, 10)).isNull();
  }

  @Test
  void parsesThePathSegmentThatItGenerates() {
    BatchRange range = new BatchRange(3, 7);
    assertThat(range.pathSegment()).isEqualTo("3-7.arrows");
    assertThat(BatchRange.parse(range.pathSegment(), 10)).isEqualTo(range);
  }

  @Test
  void dividesEqualBatchesEqually() {
    assertThat(BatchRange.divide(batches(100, 100, 100, 100, 100, 100), 3))
        .containsExactly(new BatchRange(0, 1), new BatchRange(2, 3), new BatchRange(4, 5));
  }

  @Test
  void largeBatchGetsARangeOfItsOwn() {
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
    long large = 1L << 60;
    assertThat(BatchRange.divide(batches(large, large, large, large), 2))
        .containsExactly(new BatchRange(0, 1), new BatchRange(2, 3));
  }

  @Test
  void rangesAreConsecutiveAndOfSimilarSize() {
    Random random = new Random(4);
    for (int round = 0; round < 500; round++) {
      long[] sizes = random.longs(1 + random.nextInt(60), 8, 10_000).toArray();
      int count = 1 + random.nextInt(20);
      List<BatchRange> ranges = BatchRange.divide(sizes, count);
      assertThat(ranges).hasSize(Math.min(count, sizes.length));
      int next = 0;
      double share = (double) LongStream.of(sizes).sum() / ranges.size();
      for (BatchRange range : ranges) {
        assertThat(range.from()).isEqualTo(next);
        assertThat(range.to()).isGreaterThanOrEqualTo(range.from());
        long size = LongStream.of(sizes).skip(next).limit(range.to() + 1 - next).sum();
        long edges = sizes[next] + sizes[(int) range.to()];
        next = (int) range.to() + 1;
        assertThat((double) size).isLessThan(share + edges + 1);
      }
      assertThat(next).isEqualTo(sizes.length);
    }
  }
}
