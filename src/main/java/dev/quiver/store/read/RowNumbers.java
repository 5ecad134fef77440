package dev.quiver.store.read;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.store.file.CumulativeRows;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// Chosen rows by their numbers, counted from 0 among all rows of a selection. They come in the
/// order of the version, each once.
public final class RowNumbers {

  /// The characters of a hash, of four bits each.
  private static final int HASH_LENGTH = 32;

  /// Ascending, each once.
  private final long[] numbers;

  /// @param numbers none of them negative
  public RowNumbers(LongStream numbers) {
    this.numbers = numbers.sorted().distinct().toArray();
  }

  /// Returns the greatest number, or -1 if absent.
  public long last() {
    return numbers.length == 0 ? -1 : numbers[numbers.length - 1];
  }

  /// Returns the numbers, ascending, joined by commas.
  public String text() {
    return Arrays.stream(numbers).mapToObj(Long::toString).collect(Collectors.joining(","));
  }

  /// Returns the chosen ones of the rows of a version.
  ///
  /// @param origin the row with the number 0
  RowMatches of(CumulativeRows rows, long origin) {
    RowMatches.Builder chosen = new RowMatches.Builder();
    int i = 0;
    while (i < numbers.length) {
      int batch = rows.batchOf(origin + numbers[i]);
      long before = rows.before(batch);
      int first = i;
      while (i < numbers.length && origin + numbers[i] < rows.before(batch + 1)) {
        i++;
      }
      chosen.add(
          batch,
          Arrays.stream(numbers, first, i)
              .mapToInt(number -> Math.toIntExact(origin + number - before))
              .toArray());
    }
    return chosen.build("from-%d-%s".formatted(origin, id()));
  }

  /// Returns the chosen ones of some matches.
  RowMatches of(RowMatches matches) {
    return matches.choose(numbers.length, i -> numbers[i], id());
  }

  /// Returns a short text that identifies the numbers.
  private String id() {
    return "numbers-" + Sha256.hex(text()).substring(0, HASH_LENGTH);
  }
}
