package dev.quiver.web;

import dev.quiver.metadata.Block;
import dev.quiver.web.resource.StoredFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A range of consecutive record batches: the last segment of a path such as `/batches/3-7`.
///
/// @param from the index of the first batch
/// @param to the index of the last batch
record BatchRange(long from, long to) {

  /// `3` or `3-7`, each with or without the suffix of streams. Longer numbers are out of range.
  private static final Pattern PATH_SEGMENT =
      Pattern.compile("(\\d{1,18})(?:-(\\d{1,18}))?(?:\\.arrows)?");

  /// Parses the last segment of a path.
  ///
  /// @return the range, or null if it is invalid or not within a version of `batchCount` batches
  static @Nullable BatchRange parse(String segment, long batchCount) {
    Matcher matcher = PATH_SEGMENT.matcher(segment);
    if (!matcher.matches()) {
      return null;
    }
    long from = Long.parseLong(matcher.group(1));
    long to = matcher.group(2) == null ? from : Long.parseLong(matcher.group(2));
    return from <= to && to < batchCount ? new BatchRange(from, to) : null;
  }

  /// Returns the last segment of the path to a stream of these batches.
  String pathSegment() {
    return from + "-" + to + StoredFormat.STREAM.suffix();
  }

  /// Divides all batches into at most `count` ranges of similar byte size. A range differs from an
  /// equal share by at most its first and its last batch.
  static List<BatchRange> divide(List<Block> batches, int count) {
    long total = byteSize(batches);
    int rangeCount = Math.min(count, batches.size());
    List<BatchRange> ranges = new ArrayList<>();
    int next = 0;
    long position = 0;
    for (int range = 0; range < rangeCount; range++) {
      int from = next;
      // Each of the following ranges needs at least one batch.
      int end = batches.size() - (rangeCount - range - 1);
      long target = share(total, range + 1, rangeCount);
      do {
        position += batches.get(next).byteSize();
        next++;
      } while (next < end
          && (range == rangeCount - 1 || position + batches.get(next).byteSize() / 2 < target));
      ranges.add(new BatchRange(from, next - 1));
    }
    return ranges;
  }

  static long byteSize(List<Block> messages) {
    long byteSize = 0;
    for (Block message : messages) {
      byteSize = Math.addExact(byteSize, message.byteSize());
    }
    return byteSize;
  }

  /// Returns `total * parts / count` without overflow.
  private static long share(long total, int parts, int count) {
    return total / count * parts + total % count * parts / count;
  }
}
