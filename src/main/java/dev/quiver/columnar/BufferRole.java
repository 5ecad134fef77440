package dev.quiver.columnar;

/// What a buffer of an array holds.
public enum BufferRole {
  /// One bit per slot: set when the slot is not null.
  VALIDITY,
  /// Where each slot starts, and where the last one ends, in the data or in the child.
  OFFSETS,
  /// Where each slot starts in the child it selects: list views and dense unions.
  SLOT_OFFSETS,
  /// How many child slots each slot has: list views.
  SIZES,
  /// Which child each slot selects: unions.
  TYPE_IDS,
  /// Sixteen bytes per slot: the length, then the bytes themselves or where they are.
  VIEWS,
  /// The values: of fixed width, or bytes that offsets point into.
  DATA
}
