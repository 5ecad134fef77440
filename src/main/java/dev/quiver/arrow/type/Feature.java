package dev.quiver.arrow.type;

/// The features that a stream may declare, in the order of Schema.fbs.
public enum Feature {
  UNUSED,
  DICTIONARY_REPLACEMENT,
  COMPRESSED_BODY
}
