package dev.quiver.dataset;

import dev.quiver.transform.BatchJoiner;
import java.util.ArrayList;
import java.util.List;

/// Which pieces of a version's record batches are to be merged, each run of them into one.
///
/// Pieces have size classes, each sixteen times the one below. As soon as sixteen of a class lie
/// between larger ones, they become one with all smaller ones among them, which is of the next
/// class as a rule: so that a byte is written again about once per class, and a version has few
/// pieces however many appends made it. Pieces of 64 MiB and more stay as they are.
final class MergePlan {

  /// What pieces of each class have less than, in bytes.
  private static final List<Long> CLASSES = List.of(16L << 10, 256L << 10, 4L << 20, 64L << 20);

  private static final int FAN_IN = 16;

  private MergePlan() {}

  /// The runs that are due.
  ///
  /// @param policy what makes others due too, should a version have too many pieces or batches
  static List<Run> due(List<Piece> pieces, MergePolicy policy) {
    for (int sizeClass = 0; sizeClass < CLASSES.size(); sizeClass++) {
      List<Run> due = new ArrayList<>();
      for (Run run : runs(pieces, sizeClass)) {
        if (count(pieces, run, sizeClass) >= FAN_IN) {
          due.add(run);
        }
      }
      if (!due.isEmpty()) {
        return due;
      }
    }
    long batches = pieces.stream().mapToLong(Piece::batchCount).sum();
    return pieces.size() > policy.extents() || batches > policy.batches()
        ? cheapest(pieces)
        : List.of();
  }

  /// All runs in which anything may be merged: pieces, or small batches of one.
  static List<Run> all(List<Piece> pieces) {
    return runs(pieces, CLASSES.size() - 1).stream()
        .filter(run -> run.count() > 1 || pieces.get(run.start).hasSmallBatches())
        .toList();
  }

  /// The runs of the smallest pieces that make a difference.
  private static List<Run> cheapest(List<Piece> pieces) {
    for (int sizeClass = 0; sizeClass < CLASSES.size(); sizeClass++) {
      List<Run> runs = longRuns(pieces, sizeClass, FAN_IN);
      if (!runs.isEmpty()) {
        return runs;
      }
    }
    return longRuns(pieces, CLASSES.size() - 1, 2);
  }

  private static List<Run> longRuns(List<Piece> pieces, int sizeClass, int minimum) {
    return runs(pieces, sizeClass).stream().filter(run -> run.count() >= minimum).toList();
  }

  /// The longest runs of pieces that are of a class or smaller.
  private static List<Run> runs(List<Piece> pieces, int sizeClass) {
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

  private static int count(List<Piece> pieces, Run run, int sizeClass) {
    int count = 0;
    for (Piece piece : pieces.subList(run.start, run.end)) {
      count += sizeClass(piece) == sizeClass ? 1 : 0;
    }
    return count;
  }

  private static int sizeClass(Piece piece) {
    int sizeClass = 0;
    while (sizeClass < CLASSES.size() && piece.extent.byteSize() >= CLASSES.get(sizeClass)) {
      sizeClass++;
    }
    return sizeClass;
  }

  /// Record batches that lie together in a blob.
  ///
  /// @param firstBatch index of the first of them in the version
  record Piece(Extent extent, int firstBatch, int batchCount) {

    int endBatch() {
      return firstBatch + batchCount;
    }

    boolean hasSmallBatches() {
      return batchCount > 1 && extent.byteSize() / batchCount < BatchJoiner.SMALL_BODY_BYTE_SIZE;
    }
  }

  /// Pieces that lie together in a version.
  ///
  /// @param end after the last of them
  record Run(int start, int end) {

    int count() {
      return end - start;
    }
  }
}
