package dev.quiver.formats.value;

import java.util.List;
import java.util.stream.Stream;

/// The first part of dates of three numbers whose year is the last one, such as `01/02/2024`.
public enum DateOrder {
  DAY_FIRST("day-first"),
  MONTH_FIRST("month-first");

  /// The words of all orders, as options have them.
  public static final List<String> WORDS = Stream.of(values()).map(DateOrder::word).toList();

  private final String word;

  DateOrder(String word) {
    this.word = word;
  }

  /// Returns the word for the order, as options have it.
  public String word() {
    return word;
  }

  /// Returns the order of one of the words.
  public static DateOrder ofWord(String word) {
    return values()[WORDS.indexOf(word)];
  }
}
