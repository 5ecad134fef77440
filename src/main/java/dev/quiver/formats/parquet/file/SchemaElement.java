package dev.quiver.formats.parquet.file;

import org.jspecify.annotations.Nullable;

/// A node of a schema. The nodes of the tree are listed in depth-first order.
///
/// @param type the physical type of a leaf, or null for a group
/// @param typeLength the size of a value of `FIXED_LEN_BYTE_ARRAY` in bytes, unchecked
/// @param childCount the number of children of a group, unchecked; 0 if absent
public record SchemaElement(
    String name,
    @Nullable PhysicalType type,
    int typeLength,
    Repetition repetition,
    int childCount,
    LogicalType logicalType) {

  /// The number of times a node occurs in its parent. Ordinals are the numbers in files.
  public enum Repetition {
    REQUIRED,
    OPTIONAL,
    REPEATED
  }
}
