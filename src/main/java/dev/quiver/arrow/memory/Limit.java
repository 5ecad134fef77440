package dev.quiver.arrow.memory;

/// A maximum for one measure of the input.
///
/// @param name the name in messages: the key in the configuration, which ends in the unit
/// @param maximum the largest allowed value
public record Limit(String name, long maximum) {

  public Limit {
    if (maximum < 0) {
      throw new IllegalArgumentException(name + " is negative: " + maximum);
    }
  }

  /// Rejects a `found` above the maximum.
  ///
  /// @param what the plural noun of the counted items, such as `bytes of metadata in a message`
  /// @throws TooLargeInputException if `found` is above the maximum
  public void check(long found, String what, InputLocation place) {
    if (found > maximum) {
      throw new TooLargeInputException(this, what, Long.toString(found), place);
    }
  }

  /// Returns the failure of an input that exceeds the limit by an unknown number.
  ///
  /// @param what the plural noun of the counted items
  public TooLargeInputException exceeded(String what, InputLocation place) {
    return new TooLargeInputException(this, what, "more", place);
  }
}
