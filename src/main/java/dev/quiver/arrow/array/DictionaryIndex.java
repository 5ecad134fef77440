package dev.quiver.arrow.array;

/// A slot of a dictionary-encoded array as a position in the dictionary, for [ArrayBuilder]. It is
/// needed if the dictionary contains null or a duplicate value.
public record DictionaryIndex(long index) {}
