package dev.quiver.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.SlotRanges;
import dev.quiver.arrow.array.Take;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Matches of a condition, compared with lists of row numbers.
@Tag("random")
class RowMatchesTest {

  private static final double[] DENSITIES = {0, 0.001, 0.02, 0.05, 0.5, 0.98, 1};

  /// A batch with its matching rows.
  private record Batch(int rowCount, List<Integer> matches) {}

  private static List<Batch> randomBatches(Random random) {
    List<Batch> batches = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      int rowCount = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(1000);
      double density = DENSITIES[random.nextInt(DENSITIES.length)];
      List<Integer> matches = new ArrayList<>();
      int run = 0;
      for (int row = 0; row < rowCount; row++) {
        run = run > 0 ? run - 1 : random.nextDouble() < density ? random.nextInt(100) : -1;
        if (run >= 0 || random.nextDouble() < density) {
          matches.add(row);
        }
        run = Math.max(run, 0);
      }
      batches.add(new Batch(rowCount, matches));
    }
    return batches;
  }

  private static RowMatches build(List<Batch> batches) {
    RowMatches.Builder builder = new RowMatches.Builder();
    for (int i = 0; i < batches.size(); i++) {
      long[] bits = new long[Math.ceilDiv(batches.get(i).rowCount(), 64)];
      batches.get(i).matches().forEach(row -> bits[row >>> 6] |= 1L << row);
      builder.add(i, bits, batches.get(i).rowCount());
    }
    return builder.build("id");
  }

  /// Returns matches as `batch * 1000 + row`.
  private static List<Integer> read(RowMatches matches, long from, long to) {
    List<Integer> rows = new ArrayList<>();
    try (Arena arena = Arena.ofConfined()) {
      for (int i = 0; i < matches.batchCount(); i++) {
        long first = matches.before(i);
        long start = Math.clamp(from, first, matches.before(i + 1)) - first;
        long end = Math.clamp(to, first, matches.before(i + 1)) - first;
        SlotRanges slots = new SlotRanges(arena);
        matches.addTo(slots, i, start, end);
        assertThat(slots.length()).isEqualTo(end - start);
        Array.FixedWidth taken =
            (Array.FixedWidth) Array.of(Take.take(numbers(arena), slots, arena, arena));
        for (long k = 0; k < taken.length(); k++) {
          rows.add(matches.batch(i) * 1000 + (int) taken.integer(k));
        }
      }
    }
    return rows;
  }

  /// Returns the numbers of all rows that a batch can have.
  private static ArrayData numbers(Arena arena) {
    Field field = Field.of("row", false, new ArrowType.Int(32, true));
    return new ArrayBuilder(arena).array(field, IntStream.range(0, 1000).boxed().toList());
  }

  private static List<Integer> expected(List<Batch> batches) {
    List<Integer> rows = new ArrayList<>();
    for (int i = 0; i < batches.size(); i++) {
      for (int row : batches.get(i).matches()) {
        rows.add(i * 1000 + row);
      }
    }
    return rows;
  }

  @Test
  void windowsHaveTheMatchesInTheirOrder() {
    for (int seed : Trials.seeds(300)) {
      Random random = new Random(seed);
      List<Batch> batches = randomBatches(random);
      RowMatches matches = build(batches);
      List<Integer> expected = expected(batches);
      assertThat(matches.count()).isEqualTo(expected.size());
      assertThat(read(matches, 0, expected.size())).as("seed %d", seed).isEqualTo(expected);
      int from = random.nextInt(expected.size() + 1);
      int to = from + random.nextInt(expected.size() - from + 1);
      assertThat(read(matches, from, to))
          .as("seed %d, %d to %d", seed, from, to)
          .isEqualTo(expected.subList(from, to));
      for (int i = 0; i < expected.size(); i += 1 + random.nextInt(20)) {
        assertThat(matches.batch(matches.batchOf(i))).isEqualTo(expected.get(i) / 1000);
      }
    }
  }

  @Test
  void samplesAreSpreadEvenly() {
    for (int seed : Trials.seeds(300)) {
      Random random = new Random(seed);
      List<Batch> batches = randomBatches(random);
      List<Integer> expected = expected(batches);
      if (expected.isEmpty()) {
        continue;
      }
      int start = random.nextInt(expected.size());
      int end = start + 1 + random.nextInt(expected.size() - start);
      int count = 1 + random.nextInt(end - start);
      List<Integer> sampled = new ArrayList<>();
      for (long i = 0; i < count; i++) {
        sampled.add(expected.get((int) (start + i * (end - start) / count)));
      }
      RowMatches sample = build(batches).sample(start, end, count);
      assertThat(read(sample, 0, count)).as("seed %d", seed).isEqualTo(sampled);
    }
  }

  @Test
  void memoryIsABitForEachRowOrLess() {
    List<Integer> every64th = new ArrayList<>();
    List<Integer> everySecond = new ArrayList<>();
    List<Integer> all = new ArrayList<>();
    for (int row = 0; row < 64_000; row++) {
      all.add(row);
      if (row % 2 == 0) {
        everySecond.add(row);
      }
      if (row % 64 == 0) {
        every64th.add(row);
      }
    }
    assertThat(build(List.of(new Batch(64_000, all))).heapByteSize()).isLessThan(200);
    assertThat(build(List.of(new Batch(64_000, everySecond))).heapByteSize()).isLessThan(8_200);
    assertThat(build(List.of(new Batch(64_000, every64th))).heapByteSize()).isLessThan(4_200);
  }
}
