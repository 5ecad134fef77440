package dev.quiver.store.write;

import dev.quiver.arrow.transform.BatchCoalescer;
import dev.quiver.store.version.BlobExtent;
import java.util.ArrayList;
import java.util.List;

/// Chooses the pieces of a version's record batches to compact. Each chosen run becomes one piece.
///
/// Each size class of pieces is sixteen times the one below. Once sixteen pieces of a class lie
/// between larger ones, they become one piece, together with all smaller ones among them. As a
/// rule, the new piece is of the next class. So a byte is rewritten about once per class, and a
/// version has few pieces no matter how many appends created it. Pieces of 64 MiB and more stay as
/// they are.
public final class CompactionPlan {

  /// The exclusive upper limit of each size class, in bytes.
  private static final List<Long> CLASSES = List.of(16L << 10, 256L << 10, 4L << 20, 64L << 20);

  static final int FAN_IN = 16;

  /// The minimum length of a run to compact when a version has too many pieces.
  private static final int MINIMUM_FAN_IN = 4;

  /// The approximate number of bytes that one compaction writes.
  private static final long TOTAL_BYTE_SIZE = 1L << 30;

  private CompactionPlan() {}

  /// Returns the runs that are due.
  ///
  /// @param policy the maximum numbers of small pieces and batches, above which other runs are due,
  ///   too
  public static List<Run> due(List<Input> pieces, CompactionPolicy policy) {
    for (int sizeClass = 0; sizeClass < CLASSES.size(); sizeClass++) {
      List<Run> due = new ArrayList<>();
      for (Run run : runs(pieces, sizeClass)) {
        if (count(pieces, run, sizeClass) >= FAN_IN) {
          due.add(run);
        }
      }
      if (!due.isEmpty()) {
        return bounded(pieces, due);
      }
    }
    return exceeds(pieces, policy) ? bounded(pieces, cheapest(pieces)) : List.of();
  }

  /// Returns the runs with anything to compact: several pieces, or small batches of one piece.
  public static List<Run> all(List<Input> pieces) {
    return bounded(
        pieces,
        runs(pieces, CLASSES.size() - 1).stream()
            .filter(run -> run.count() > 1 || pieces.get(run.start).hasSmallBatches())
            .toList());
  }

  /// Returns the runs of several pieces, which [#all] left for another compaction.
  public static List<Run> rest(List<Input> pieces) {
    return bounded(
        pieces, runs(pieces, CLASSES.size() - 1).stream().filter(run -> run.count() > 1).toList());
  }

  /// Returns how many pieces may be compacted.
  static long smallCount(List<Input> pieces) {
    return pieces.stream().filter(CompactionPlan::isSmall).count();
  }

  private static boolean isSmall(Input piece) {
    return sizeClass(piece) < CLASSES.size();
  }

  /// Returns whether more pieces or small batches than the policy allows may be compacted.
  private static boolean exceeds(List<Input> pieces, CompactionPolicy policy) {
    long batches =
        pieces.stream()
            .filter(piece -> isSmall(piece) && piece.hasSmallBatches())
            .mapToLong(Input::batchCount)
            .sum();
    return smallCount(pieces) > policy.extents() || batches > policy.batches();
  }

  /// Returns the suitable runs of the smallest class that has any. A run with a piece larger than
  /// all others together is unsuitable: compacting it would rewrite much to merge little.
  private static List<Run> cheapest(List<Input> pieces) {
    for (int sizeClass = 0; sizeClass < CLASSES.size(); sizeClass++) {
      List<Run> runs =
          runs(pieces, sizeClass).stream()
              .filter(run -> run.count() >= MINIMUM_FAN_IN && !isMostlyOne(pieces, run))
              .toList();
      if (!runs.isEmpty()) {
        return runs;
      }
    }
    return List.of();
  }

  private static boolean isMostlyOne(List<Input> pieces, Run run) {
    long total = 0;
    long largest = 0;
    for (Input piece : pieces.subList(run.start, run.end)) {
      total += piece.extent.byteSize();
      largest = Math.max(largest, piece.extent.byteSize());
    }
    return largest > total / 2;
  }

  /// Returns the part of the runs that one compaction should write. The next compaction writes the
  /// rest.
  private static List<Run> bounded(List<Input> pieces, List<Run> runs) {
    List<Run> bounded = new ArrayList<>();
    long total = 0;
    for (Run run : runs) {
      int end = run.start;
      while (end < run.end && total < TOTAL_BYTE_SIZE) {
        total += pieces.get(end).extent.byteSize();
        end++;
      }
      if (end - run.start > 1 || run.count() == 1 && end == run.end) {
        bounded.add(new Run(run.start, end));
      }
    }
    return bounded;
  }

  /// Returns the longest runs of pieces of a class or smaller ones.
  private static List<Run> runs(List<Input> pieces, int sizeClass) {
    List<Run> runs = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= pieces.size(); i++) {
      if (i == pieces.size() || sizeClass(pieces.get(i)) > sizeClass) {
        if (i > start) {
          runs.add(new Run(start, i));
        }
        start = i + 1;
      }
    }
    return runs;
  }

  private static int count(List<Input> pieces, Run run, int sizeClass) {
    int count = 0;
    for (Input piece : pieces.subList(run.start, run.end)) {
      count += sizeClass(piece) == sizeClass ? 1 : 0;
    }
    return count;
  }

  private static int sizeClass(Input piece) {
    int sizeClass = 0;
    while (sizeClass < CLASSES.size() && piece.extent.byteSize() >= CLASSES.get(sizeClass)) {
      sizeClass++;
    }
    return sizeClass;
  }

  /// A piece: adjacent record batches of a blob.
  ///
  /// @param firstBatch the index of the first batch in the version
  public record Input(BlobExtent extent, int firstBatch, int batchCount) {

    int endBatch() {
      return firstBatch + batchCount;
    }

    boolean hasSmallBatches() {
      return batchCount > 1 && extent.byteSize() / batchCount < BatchCoalescer.SMALL_BODY_BYTE_SIZE;
    }
  }

  /// A run of adjacent pieces of a version.
  ///
  /// @param end the index after the last piece
  public record Run(int start, int end) {

    int count() {
      return end - start;
    }
  }
}
