package dev.quiver.formats.parquet.file;

import java.util.List;

/// A horizontal partition of a file.
///
/// @param columns the column chunks, in the order of the schema's leaves
public record RowGroup(long rowCount, List<ColumnChunk> columns) {

  public RowGroup {
    columns = List.copyOf(columns);
  }
}
