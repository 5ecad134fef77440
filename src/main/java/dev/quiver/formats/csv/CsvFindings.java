package dev.quiver.formats.csv;

import dev.quiver.formats.Advice;
import dev.quiver.formats.FileParameters;
import dev.quiver.formats.value.TextEncoding;
import java.util.List;
import java.util.Map;

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
}
