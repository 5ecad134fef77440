package dev.quiver.formats.csv;

import dev.quiver.formats.Advice;
import dev.quiver.formats.FileOption;
import dev.quiver.formats.FileParameters;
import dev.quiver.formats.value.TextEncoding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The complete options of a file: those that its client states, and what was found in it.
///
/// @param text from the header on, or from the first row if there is no header
/// @param options with all that was found
/// @param parameters by which the file can be read as it is read
/// @param width the columns at most: those at the end that are always empty are left out
/// @param found what was found rather than stated, by name
/// @param advice sentences about it
record CsvFindings(
    CsvText text,
    CsvOptions options,
    FileParameters parameters,
    int width,
    Map<String, Object> found,
    List<Advice> advice) {

  /// The names of options whose values may be found.
  private static final Set<String> FOUND_NAMES =
      Set.of("delimiter", "encoding", "decimal", "dates", "header", "types");

  CsvFindings {
    advice = List.copyOf(advice);
  }

  /// Returns whether the text may be UTF-16 that was read as another encoding.
  boolean mayBeWide() {
    return advice.stream()
        .anyMatch(each ->
            TextEncoding.UTF_16LE.name().equals(each.value())
                && !found.containsValue(each.value()));
  }

  /// Returns the parameters by which the file is read, but for types, in a list that may grow.
  List<FileOption> fileOptions() {
    String prefix = options.prefix();
    List<FileOption> all = new ArrayList<>();
    if (options.table() == null) {
      all.add(new FileOption(prefix + "delimiter", options.delimiter()));
      String encoding = text.encoding().name();
      if (TextEncoding.ofLabel(encoding) != null) {
        all.add(new FileOption(prefix + "encoding", encoding));
      }
      all.add(new FileOption(prefix + "decimal", options.decimal()));
      if (options.dateOrder() != null) {
        all.add(new FileOption(prefix + "dates", options.dateOrder().word()));
      }
    }
    all.add(new FileOption(prefix + "header", Boolean.toString(options.header())));
    new TreeMap<>(options.stated())
        .forEach((name, values) -> {
          if (!FOUND_NAMES.contains(name)) {
            values.forEach(value -> all.add(new FileOption(prefix + name, value)));
          }
        });
    return all;
  }
}
