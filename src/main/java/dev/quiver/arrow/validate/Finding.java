package dev.quiver.arrow.validate;

/// A violation of a rule.
///
/// @param rule the rule
/// @param path the field: names from the column down, joined by dots; empty for the record batch
/// @param index the slot, offset or run, or -1 for the whole array
/// @param sentence a sentence such as *Expected 3 or more but found 2 at offsets\[17\]*, which may
///   quote text from the input
public record Finding(Rule rule, String path, long index, String sentence) {

  /// The `index` of a finding about a whole array.
  public static final long WHOLE_ARRAY = -1;
}
