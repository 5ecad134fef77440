package dev.quiver.formats.parquet.file;

import dev.quiver.arrow.type.Field;

/// A leaf of the schema: a column with values of its own in the file.
///
/// @param index among all leaves, and among the column chunks of each row group
/// @param type of the values in the file
/// @param field of the values in Arrow
/// @param leafType how the values become Arrow values
/// @param levels at the leaf
/// @param isNested whether the leaf is within a struct, list or map
public record ParquetLeaf(
    int index,
    ColumnPath path,
    PhysicalType type,
    Field field,
    LeafType leafType,
    Levels levels,
    boolean isNested) {}
