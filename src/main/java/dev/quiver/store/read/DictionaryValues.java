package dev.quiver.store.read;

/// The values that the dictionaries of a selection have.
public enum DictionaryValues {
  /// All values that are stored.
  ALL,
  /// Only values that the selected rows use.
  USED
}
