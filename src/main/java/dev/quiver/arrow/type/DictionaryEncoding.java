package dev.quiver.arrow.type;

/// The encoding of a field's values as indices into a dictionary.
///
/// @param id the dictionary, which several fields may share
/// @param indexType the type of the indices
/// @param ordered whether the order of the dictionary's values is significant
public record DictionaryEncoding(long id, ArrowType.Int indexType, boolean ordered) {}
