package dev.quiver.server.read;

import dev.quiver.formats.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A range of consecutive record batches: the last segment of a path such as `/batches/3-7`.
///
/// @param from the index of the first batch
/// @param to the index of the last batch
public record BatchRange(long from, long to) {

  /// `3` or `3-7`, each with or without the suffix of streams. Longer numbers are out of range.
  private static final Pattern PATH_SEGMENT =
      Pattern.compile("(\\d{1,18})(?:-(\\d{1,18}))?(?:\\.arrows)?");

  /// Parses the last segment of a path.
  ///
  /// @return the range, or null if it is invalid or not within a version of `batchCount` batches
  public static @Nullable BatchRange parse(String segment, long batchCount) {
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
    return from + "-" + to + Format.STREAM.suffix();
  }

  /// Divides all batches into at most `count` ranges of similar size. A range differs from an equal
  /// share by at most its first and its last batch.
  ///
  /// @param sizes the size of each batch, in bytes or in rows
  static List<BatchRange> divide(long[] sizes, int count) {
    long total = 0;
    for (long size : sizes) {
      total = Math.addExact(total, size);
    }
    int rangeCount = Math.min(count, sizes.length);
    List<BatchRange> ranges = new ArrayList<>();
    int next = 0;
    long position = 0;
    for (int range = 0; range < rangeCount; range++) {
      int from = next;
      // Each of the following ranges needs at least one batch.
      int end = sizes.length - (rangeCount - range - 1);
      long target = share(total, range + 1, rangeCount);
      do {
        position += sizes[next];
        next++;
      } while (next < end && (range == rangeCount - 1 || position + sizes[next] / 2 < target));
      ranges.add(new BatchRange(from, next - 1));
    }
    return ranges;
  }

  /// Returns `total * parts / count` without overflow.
  private static long share(long total, int parts, int count) {
    return total / count * parts + total % count * parts / count;
  }
}
