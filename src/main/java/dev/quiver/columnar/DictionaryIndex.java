package dev.quiver.columnar;

/// A slot of a dictionary-encoded array, for [ArrayBuilder], by where its value stands in the
/// dictionary. Needed when that holds a value twice, or null.
public record DictionaryIndex(long index) {}
