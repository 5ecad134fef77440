package dev.quiver.formats.csv;

import dev.quiver.formats.SkippedRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/// The rows that are left out of a file. Shared by threads.
final class CsvSkips {

  private static final int LISTED_MAXIMUM = 100;

  private long count;

  /// The reasons of the first rows, by the offsets of these in the text.
  private final TreeMap<Long, String> first = new TreeMap<>();

  synchronized void add(long byteOffset, String reason) {
    count++;
    first.put(byteOffset, reason);
    if (first.size() > LISTED_MAXIMUM) {
      first.pollLastEntry();
    }
  }

  synchronized SkippedRows rows(CsvText text) throws IOException {
    if (count == 0) {
      return SkippedRows.NONE;
    }
    List<Long> lines = text.lines(List.copyOf(first.keySet()));
    List<SkippedRows.Row> rows = new ArrayList<>();
    for (String reason : first.values()) {
      rows.add(new SkippedRows.Row(lines.get(rows.size()), reason));
    }
    return new SkippedRows(count, rows);
  }
}
