package dev.quiver.store.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.quiver.Trials;
import dev.quiver.store.file.CumulativeRows;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which rows and batches a sample has, compared with exact arithmetic row by row.
@Tag("random")
class SampledRowsTest {

  private static CumulativeRows rows(long... counts) {
    CumulativeRows rows = new CumulativeRows();
    for (long count : counts) {
      rows.add(count);
    }
    return rows;
  }

  private static Selection selection(long offset, long limit, int sample) {
    return new Selection(List.of(), offset, limit, sample);
  }

  /// Asserts that the batches and their numbers of rows are those of the exact positions.
  private static void assertExact(CumulativeRows rows, Selection selection, SelectedRows selected) {
    RowWindow window = RowWindow.of(rows, 0, selection);
    int count = (int) selected.count();
    TreeMap<Integer, Integer> expected = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      long row =
          BigInteger.valueOf(i)
              .multiply(BigInteger.valueOf(window.count()))
              .divide(BigInteger.valueOf(count))
              .longValueExact();
      int batch = rows.batchOf(window.start() + row);
      expected.merge(batch, 1, Integer::sum);
      assertThat(selected.storedBatch(selected.batchOf(i))).isEqualTo(batch);
    }
    assertThat(selected.batchCount()).isEqualTo(expected.size());
    List<Integer> batches = new ArrayList<>();
    List<Long> counts = new ArrayList<>();
    for (int i = 0; i < selected.batchCount(); i++) {
      batches.add(selected.storedBatch(i));
      counts.add(selected.before(i + 1) - selected.before(i));
      int stored = selected.storedBatch(i);
      assertThat(selected.isWhole(i))
          .isEqualTo(counts.getLast() == rows.before(stored + 1) - rows.before(stored));
    }
    assertThat(batches).containsExactlyElementsOf(expected.keySet());
    assertThat(counts)
        .containsExactlyElementsOf(expected.values().stream().map(Long::valueOf).toList());
    assertThat(selected.cumulative().total()).isEqualTo(count);
  }

  @Test
  void hasTheRowsOfExactArithmetic() {
    for (int seed : Trials.seeds(2000)) {
      Random random = new Random(seed);
      long[] counts = new long[1 + random.nextInt(40)];
      for (int i = 0; i < counts.length; i++) {
        counts[i] = random.nextInt(4) == 0 ? 0 : random.nextInt(1 + (1 << random.nextInt(9)));
      }
      counts[random.nextInt(counts.length)] += 9;
      CumulativeRows rows = rows(counts);
      long offset = random.nextLong(rows.total() / 2 + 1);
      long limit = 2 + random.nextLong(rows.total());
      long count = RowWindow.of(rows, 0, selection(offset, limit, 0)).count();
      if (count > 1) {
        Selection selection = selection(offset, limit, 1 + random.nextInt((int) count - 1));
        SelectedRows selected = SelectedRows.of(rows, 0, selection);
        assertThat(selected).as("seed " + seed).isInstanceOf(SampledRows.class);
        assertExact(rows, selection, selected);
      }
    }
  }

  /// Products of positions and rows exceed 64 bits.
  @ParameterizedTest
  @CsvSource({"9223372036854775807, 1000000", "9223372036854775807, 999983", "4294967297, 65537"})
  void doesNotOverflowWithManyRows(long total, int count) {
    CumulativeRows rows = rows(total / 2, 0, total / 3, total - total / 2 - total / 3);
    Selection selection = selection(0, Long.MAX_VALUE, count);
    assertExact(rows, selection, SelectedRows.of(rows, 0, selection));
  }

  @Test
  void largestSampleDoesNotOverflow() {
    CumulativeRows rows = rows(Integer.MAX_VALUE, Integer.MAX_VALUE);
    SelectedRows selected =
        SelectedRows.of(rows, 0, selection(0, Long.MAX_VALUE, Integer.MAX_VALUE));
    assertThat(selected.before(1)).isEqualTo((1 << 30));
    assertThat(selected.batchOf((1 << 30) - 1)).isZero();
    assertThat(selected.batchOf(1 << 30)).isEqualTo(1);
  }
}
