package dev.quiver.arrow.type;

/// The content of a buffer.
public enum BufferRole {
  /// One bit per slot, set if the slot is not null.
  VALIDITY,
  /// The start of each slot in the data or the child, then the end of the last one.
  OFFSETS,
  /// The start of each slot in the selected child: list views and dense unions.
  SLOT_OFFSETS,
  /// The number of child slots of each slot: list views.
  SIZES,
  /// The selected child of each slot: unions.
  TYPE_IDS,
  /// Sixteen bytes per slot: the length, then the bytes themselves or their position.
  VIEWS,
  /// The values: fixed-width, or bytes that offsets point into.
  DATA
}
