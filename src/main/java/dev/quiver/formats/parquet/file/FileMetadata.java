package dev.quiver.formats.parquet.file;

import java.util.List;
import java.util.Map;

/// The metadata of a file.
///
/// @param schema the root, followed by all nodes below it
/// @param rowCount the declared number of rows of all row groups
/// @param keyValues the metadata of the writer, with keys such as `ARROW:schema`
/// @param heapByteSize what this takes in the heap, approximately
public record FileMetadata(
    List<SchemaElement> schema,
    long rowCount,
    List<RowGroup> rowGroups,
    Map<String, String> keyValues,
    long heapByteSize) {

  public FileMetadata {
    schema = List.copyOf(schema);
    rowGroups = List.copyOf(rowGroups);
    keyValues = Map.copyOf(keyValues);
  }
}
