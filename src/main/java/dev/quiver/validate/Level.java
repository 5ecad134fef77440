package dev.quiver.validate;

/// How much is checked. Each level includes those before it.
public enum Level {
  /// Counts and lengths of arrays and sizes of buffers, without looking into a buffer: O(buffers).
  LAYOUT,
  /// Everything that tells where something is, so that reading stays in bounds: offsets, sizes, run
  /// ends, type ids, null counts: O(rows).
  OFFSETS,
  /// The values: UTF-8, views, indices, map keys: O(bytes).
  VALUES,
  /// What the type means beyond its bytes: days that are whole, digits that fit, values where there
  /// must be some: O(bytes). Data that breaks it can be read, and official files do.
  DOMAIN
}
