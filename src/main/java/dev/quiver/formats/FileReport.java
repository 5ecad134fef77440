package dev.quiver.formats;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A report about a file, by its reader.
///
/// @param advice warnings, and the options that would read the file in another way
/// @param found what was found rather than stated in the file, by name
/// @param skipped the rows that were left out
public record FileReport(List<Advice> advice, Map<String, Object> found, SkippedRows skipped) {

  /// Nothing to tell.
  public static final FileReport NONE = new FileReport(List.of(), Map.of(), SkippedRows.NONE);

  public FileReport {
    advice = List.copyOf(advice);
  }

  /// Returns this report with something that was found before the rest.
  public FileReport withFound(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>();
    more.put(name, value);
    more.putAll(found);
    return new FileReport(advice, more, skipped);
  }
}
