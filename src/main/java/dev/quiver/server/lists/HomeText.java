package dev.quiver.server.lists;

import dev.quiver.formats.Format;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.store.version.VersionSummary;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The home page for a terminal: the first datasets by name, and three commands to copy.
///
/// @param site the URL of the service, such as `http://localhost:8080`
/// @param datasets the first datasets, one more than are shown if there are more
/// @param writable whether the client may write from where it is
/// @param readHeader whether reads were sent with a token
/// @param writeHeader whether writes need a token
/// @param queryable whether statements run
record HomeText(
    String site,
    List<VersionSummary> datasets,
    boolean writable,
    boolean readHeader,
    boolean writeHeader,
    boolean queryable) {

  /// The number of datasets that are shown.
  static final int DATASET_COUNT_MAXIMUM = 5;

  private static final String TOKEN = " -H \"Authorization: Bearer $TOKEN\"";

  byte[] render() {
    List<String> lines = new ArrayList<>();
    List<VersionSummary> shown =
        datasets.subList(0, Math.min(DATASET_COUNT_MAXIMUM, datasets.size()));
    lines.add("Quiver at %s%s".formatted(site, shown.isEmpty() ? " has no datasets yet" : ""));
    lines.add("");
    lines.addAll(table(shown));
    if (datasets.size() > shown.size()) {
      lines.add("  and more: curl%s %s.txt".formatted(readToken(), site + Paths.DATASETS));
    }
    if (!shown.isEmpty()) {
      lines.add("");
    }
    lines.addAll(commands(shown));
    return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> table(List<VersionSummary> shown) {
    int name = shown.stream().mapToInt(each -> each.name().value().length()).max().orElse(0);
    int rows = shown.stream().mapToInt(each -> rows(each).length()).max().orElse(0);
    int bytes = shown.stream().mapToInt(each -> bytes(each).length()).max().orElse(0);
    return shown.stream()
        .map(each ->
            "  %s  %s  %s"
                .formatted(
                    padded(each.name().value(), -name),
                    padded(rows(each), rows),
                    padded(bytes(each), bytes)))
        .toList();
  }

  /// Pads a text on the left, or on the right if `width` is negative.
  private static String padded(String text, int width) {
    return width == 0 ? text : String.format(Locale.ROOT, "%" + width + "s", text);
  }

  private static String rows(VersionSummary summary) {
    return String.format(Locale.ROOT, "%,d rows", summary.file().rows());
  }

  private static String bytes(VersionSummary summary) {
    return String.format(Locale.ROOT, "%,d bytes", summary.file().byteSize());
  }

  private List<String> commands(List<VersionSummary> shown) {
    String name = shown.isEmpty() ? "" : shown.getFirst().name().value();
    String dataset = shown.isEmpty() ? "" : site + DatasetPath.of(shown.getFirst().name());
    String read =
        shown.isEmpty()
            ? "curl%s %s.txt  # the list".formatted(readToken(), site + Paths.DATASETS)
            : "curl%s %s.txt  # the first and last rows; also .csv, .json and others"
                .formatted(readToken(), dataset);
    String statement =
        shown.isEmpty() ? "SELECT 42 AS answer" : "SELECT count(*) FROM \"%s\"".formatted(name);
    String ask =
        queryable
            ? "curl%s %s.txt -d '%s'  # SQL".formatted(readToken(), site + Paths.SQL, statement)
            : "curl%s %s/openapi.yaml  # all that it can do".formatted(readToken(), site);
    String write =
        writable
            ? "printf 'city,degrees\\nBern,12\\nOslo,7\\n' | curl%s --data-binary @- %s  # store"
                .formatted(writeHeader ? TOKEN : "", site + Paths.DATASETS)
            : "curl%s %s%s  # the list as CSV"
                .formatted(readToken(), site + Paths.DATASETS, Format.CSV.suffix());
    return List.of(read, ask, write);
  }

  private String readToken() {
    return readHeader ? TOKEN : "";
  }
}
