package dev.quiver.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.columnar.SlotRanges;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowSetTest {

  @Test
  void walksRuns() {
    Random random = new Random(1);
    for (int i = 0; i < 500; i++) {
      int length = random.nextInt(300);
      RowSet rows = RowSet.all(length);
      assertThat(rows.count()).isEqualTo(length);
      double share = random.nextDouble();
      List<Long> expected = new ArrayList<>();
      for (int row = 0; row < length; row++) {
        if (random.nextDouble() < share) {
          rows.words()[row >>> 6] &= ~(1L << row);
        } else {
          expected.add((long) row);
        }
      }
      List<Long> found = new ArrayList<>();
      long end;
      for (long start = rows.next(0); start < length; start = rows.next(end)) {
        end = rows.runEnd(start);
        assertThat(end).isGreaterThan(start);
        for (long row = start; row < end; row++) {
          found.add(row);
        }
      }
      assertThat(found).isEqualTo(expected);
      assertThat(rows.count()).isEqualTo(expected.size());
      assertThat(rows.isEmpty()).isEqualTo(expected.isEmpty());
      requireRanges(rows, expected, random.nextInt(length + 1));
    }
  }

  private static void requireRanges(RowSet rows, List<Long> expected, int limit) {
    try (Arena arena = Arena.ofConfined()) {
      SlotRanges ranges = new SlotRanges(arena);
      long added = rows.addTo(ranges, limit);
      int count = Math.min(limit, expected.size());
      assertThat(added).isEqualTo(count);
      assertThat(ranges.length()).isEqualTo(count);
      assertThat(ranges.end()).isEqualTo(count == 0 ? 0 : expected.get(count - 1) + 1);
    }
  }
}
