package dev.quiver.columnar;

/// What a stream may announce that it uses, in the order of Schema.fbs.
public enum Feature {
  UNUSED,
  DICTIONARY_REPLACEMENT,
  COMPRESSED_BODY
}
