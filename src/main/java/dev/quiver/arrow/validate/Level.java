package dev.quiver.arrow.validate;

/// The depth of validation. Each level includes the previous ones.
public enum Level {
  /// Counts and lengths of arrays and sizes of buffers, without reading buffers: O(buffers).
  LAYOUT,
  /// Everything that determines positions, so that reads stay in bounds: offsets, sizes, run ends,
  /// type ids, null counts: O(rows).
  OFFSETS,
  /// The values: UTF-8, views, indices, map keys: O(bytes).
  VALUES,
  /// The meaning of the type beyond its bytes: whole days, digits within the precision, required
  /// values: O(bytes). Violations do not prevent reading, and official files contain some.
  DOMAIN
}
