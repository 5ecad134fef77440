package dev.quiver.engine.result;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// The names of a result's columns, one after the other. Arrow allows equal ones, but hardly any
/// reader does, so each repetition gets a number, as in tables that the engine makes of a result:
/// `a`, `a_1`, `a_2`. Case does not count.
public final class DistinctNames {

  /// The next number for each name in lower case.
  private final Map<String, Integer> numbers = new HashMap<>();

  /// Returns a name that no column before has.
  public String next(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    Integer number = numbers.putIfAbsent(lower, 1);
    if (number == null) {
      return name;
    }
    String distinct;
    do {
      distinct = name + "_" + number++;
    } while (numbers.putIfAbsent(distinct.toLowerCase(Locale.ROOT), 1) != null);
    numbers.put(lower, number);
    return distinct;
  }
}
