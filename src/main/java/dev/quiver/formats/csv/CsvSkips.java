package dev.quiver.formats.csv;

import dev.quiver.formats.SkippedRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The rows and comments that are left out of a file. Shared by threads.
final class CsvSkips {

  private static final int LISTED_MAXIMUM = 100;

  /// The kinds of reasons: the number of fields, the quotes around one, or the value of one.
  static final String FIELDS = "fields";

  static final String QUOTES = "quotes";
  static final String VALUE = "value";

  private final Map<String, Long> counts = new HashMap<>();

  /// The reasons of the first rows, by the offsets of these in the text.
  private final TreeMap<Long, String> first = new TreeMap<>();

  /// Whether a comment was left out.
  private volatile boolean hasComments;

  void addComment() {
    hasComments = true;
  }

  boolean hasComments() {
    return hasComments;
  }

  synchronized void add(long byteOffset, String kind, String reason) {
    counts.merge(kind, 1L, Long::sum);
    first.put(byteOffset, reason);
    if (first.size() > LISTED_MAXIMUM) {
      first.pollLastEntry();
    }
  }

  synchronized SkippedRows rows(CsvText text) throws IOException {
    if (counts.isEmpty()) {
      return SkippedRows.NONE;
    }
    List<Long> lines = text.lines(List.copyOf(first.keySet()));
    List<SkippedRows.Row> rows = new ArrayList<>();
    for (String reason : first.values()) {
      rows.add(new SkippedRows.Row(lines.get(rows.size()), reason));
    }
    long count = counts.values().stream().mapToLong(Long::longValue).sum();
    return new SkippedRows(count, counts, rows);
  }
}
