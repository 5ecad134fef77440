package dev.quiver.formats.parquet.file;

/// The levels at a node of the schema.
///
/// @param definition the definition level from which on the node is not null
/// @param repetition the number of lists around the node: the maximum repetition level
/// @param elementDefinition the definition level from which on the innermost list around the node
///   has an element; 0 without a list
public record Levels(int definition, int repetition, int elementDefinition) {

  static final Levels ROOT = new Levels(0, 0, 0);

  /// Returns the levels of an optional node at the same place.
  Levels optional() {
    return new Levels(definition + 1, repetition, elementDefinition);
  }

  /// Returns the levels of the elements of a list at the same place.
  Levels repeated() {
    return new Levels(definition + 1, repetition + 1, definition + 1);
  }

  /// Returns whether the node has null slots if it, or a struct around it, is null.
  public boolean isNullable() {
    return definition > elementDefinition;
  }
}
