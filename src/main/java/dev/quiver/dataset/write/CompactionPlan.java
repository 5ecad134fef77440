package dev.quiver.dataset.write;

import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.transform.BatchCoalescer;
import java.util.ArrayList;
import java.util.List;

/// Which pieces of a version's record batches are to be compacted, each run of them into one.
///
/// Pieces have size classes, each sixteen times the one below. As soon as sixteen of a class lie
/// between larger ones, they become one with all smaller ones among them, which is of the next
/// class as a rule: so that a byte is written again about once per class, and a version has few
/// pieces however many appends made it. Pieces of 64 MiB and more stay as they are.
public final class CompactionPlan {

  /// What pieces of each class have less than, in bytes.
  private static final List<Long> CLASSES = List.of(16L << 10, 256L << 10, 4L << 20, 64L << 20);

  static final int FAN_IN = 16;

  /// How many become one when there are too many.
  private static final int LEAST_FAN_IN = 4;

  /// What one compaction writes, about.
  private static final long TOTAL_BYTE_SIZE = 1L << 30;

  private CompactionPlan() {}

  /// The runs that are due.
  ///
  /// @param policy what makes others due too, should a version have too many pieces or batches that
  ///   are small
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
    return isTooMany(pieces, policy) ? bounded(pieces, cheapest(pieces)) : List.of();
  }

  /// Runs in which anything may be compacted: pieces, or small batches of one.
  public static List<Run> all(List<Input> pieces) {
    return bounded(
        pieces,
        runs(pieces, CLASSES.size() - 1).stream()
            .filter(run -> run.count() > 1 || pieces.get(run.start).hasSmallBatches())
            .toList());
  }

  /// Runs of more than one piece: what [#all] left for another compact.
  public static List<Run> rest(List<Input> pieces) {
    return bounded(
        pieces, runs(pieces, CLASSES.size() - 1).stream().filter(run -> run.count() > 1).toList());
  }

  /// How many may be compacted.
  static long smallCount(List<Input> pieces) {
    return pieces.stream().filter(CompactionPlan::isSmall).count();
  }

  private static boolean isSmall(Input piece) {
    return sizeClass(piece) < CLASSES.size();
  }

  /// Whether there are too many of those that may be compacted.
  private static boolean isTooMany(List<Input> pieces, CompactionPolicy policy) {
    long batches =
        pieces.stream()
            .filter(piece -> isSmall(piece) && piece.hasSmallBatches())
            .mapToLong(Input::batchCount)
            .sum();
    return smallCount(pieces) > policy.extents() || batches > policy.batches();
  }

  /// The runs of the smallest pieces of which there are some, and none is more than half of its
  /// run: else it would be written again for the sake of a few.
  private static List<Run> cheapest(List<Input> pieces) {
    for (int sizeClass = 0; sizeClass < CLASSES.size(); sizeClass++) {
      List<Run> runs =
          runs(pieces, sizeClass).stream()
              .filter(run -> run.count() >= LEAST_FAN_IN && !isMostlyOne(pieces, run))
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

  /// The first of the runs, as much as one compaction should take: what is left is compacted next.
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

  /// The longest runs of pieces that are of a class or smaller.
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

  /// Record batches that lie together in a blob.
  ///
  /// @param firstBatch index of the first of them in the version
  public record Input(BlobExtent extent, int firstBatch, int batchCount) {

    int endBatch() {
      return firstBatch + batchCount;
    }

    boolean hasSmallBatches() {
      return batchCount > 1 && extent.byteSize() / batchCount < BatchCoalescer.SMALL_BODY_BYTE_SIZE;
    }
  }

  /// Pieces that lie together in a version.
  ///
  /// @param end after the last of them
  public record Run(int start, int end) {

    int count() {
      return end - start;
    }
  }
}
