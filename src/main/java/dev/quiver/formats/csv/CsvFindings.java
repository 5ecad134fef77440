package dev.quiver.formats.csv;

import dev.quiver.formats.Advice;
import java.util.List;
import java.util.Map;

/// The complete options of a file: those that its client states, and what was found in it.
///
/// @param text from the header on, or from the first row if there is no header
/// @param options with all that was found
/// @param width the columns at most: those at the end that are always empty are left out
/// @param found what was found rather than stated, by name
/// @param advice sentences about it
record CsvFindings(
    CsvText text, CsvOptions options, int width, Map<String, Object> found, List<Advice> advice) {

  CsvFindings {
    advice = List.copyOf(advice);
  }
}
