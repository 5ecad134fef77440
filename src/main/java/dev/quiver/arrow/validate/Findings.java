package dev.quiver.arrow.validate;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.type.FieldPath;
import java.util.ArrayList;
import java.util.List;

/// A collector of up to [Validator#FINDINGS_MAXIMUM] findings.
final class Findings {

  private static final int EXCERPT_LENGTH_MAXIMUM = 100;

  private final List<Finding> list = new ArrayList<>();

  /// Adds a finding about a whole array; `where` names the part.
  void add(Rule rule, FieldPath path, String expected, String found, String where) {
    add(rule, path, Finding.WHOLE_ARRAY, expected, found, where);
  }

  /// Adds a finding about one element of `what`.
  void addAt(Rule rule, FieldPath path, long index, String expected, String found, String what) {
    add(rule, path, index, expected, found, what + "[" + index + "]");
  }

  private void add(
      Rule rule, FieldPath path, long index, String expected, String found, String where) {
    if (!isFull()) {
      String sentence = "Expected " + expected + " but found " + found + " at " + where;
      list.add(new Finding(rule, path.toString(), index, sentence));
    }
  }

  /// Returns text from the input, truncated if long.
  static String excerpt(String text) {
    return Excerpt.of(text, EXCERPT_LENGTH_MAXIMUM);
  }

  boolean isFull() {
    return list.size() == Validator.FINDINGS_MAXIMUM;
  }

  int count() {
    return list.size();
  }

  List<Finding> toList() {
    return List.copyOf(list);
  }
}
