package dev.quiver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The names of our metrics in the table of `src/docs/operations.md`, and in a response.
public final class DocumentedMetrics {

  /// The metrics that only a store in a bucket has.
  public static final Set<String> OF_BUCKETS =
      Set.of("quiver_store_requests_seconds", "quiver_store_cache_bytes");

  private static final Pattern ROW =
      Pattern.compile("^\\| ((?:`quiver_[a-z_]+`(?:, )?)+) \\|", Pattern.MULTILINE);
  private static final Pattern NAME = Pattern.compile("quiver_[a-z_]+");
  private static final Pattern SAMPLE =
      Pattern.compile("^(quiver_[a-z_]+?)(?:_count|_sum|_max)?(?:\\{.*)? ", Pattern.MULTILINE);

  private DocumentedMetrics() {}

  public static Set<String> inTheTable() throws IOException {
    return ROW.matcher(Files.readString(Path.of("src/docs/operations.md")))
        .results()
        .flatMap(row -> NAME.matcher(row.group(1)).results())
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /// Returns the names in a response of `/metrics`, without the suffixes of timers.
  public static Set<String> in(String metrics) {
    return SAMPLE
        .matcher(metrics)
        .results()
        .map(sample -> sample.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
