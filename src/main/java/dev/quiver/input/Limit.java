package dev.quiver.input;

/// How large something from the input may be.
///
/// @param key the configuration key, which ends in the unit
/// @param maximum the largest value that is allowed
public record Limit(String key, long maximum) {

  public Limit {
    if (maximum < 0) {
      throw new IllegalArgumentException(key + " is negative: " + maximum);
    }
  }

  /// Refuses a `found` over the maximum.
  ///
  /// @param what what is counted, in the plural, such as `bytes of metadata in a message`
  /// @throws TooLargeInputException when `found` is over the maximum
  public void check(long found, String what, InputLocation place) {
    if (found > maximum) {
      throw new TooLargeInputException(this, what, Long.toString(found), place);
    }
  }
}
