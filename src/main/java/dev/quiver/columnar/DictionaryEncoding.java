package dev.quiver.columnar;

/// That a field's values are indices into the dictionary of this id.
///
/// @param id which dictionary; several fields may share one
/// @param indexType the type of the indices
/// @param ordered whether the order of the dictionary's values means something
public record DictionaryEncoding(long id, ArrowType.Int indexType, boolean ordered) {}
