package dev.quiver.formats.parquet.file;

import dev.quiver.arrow.type.Metadata;
import java.util.List;

/// The metadata of a file.
///
/// @param schema the root, followed by all nodes below it
/// @param rowCount the declared number of rows of all row groups, unchecked
/// @param keyValues the metadata of the writer, with keys such as `ARROW:schema`, in order and with
///   duplicate keys
/// @param heapByteSize what this takes in the heap, approximately
public record FileMetadata(
    List<SchemaElement> schema,
    long rowCount,
    List<RowGroup> rowGroups,
    Metadata keyValues,
    long heapByteSize) {

  public FileMetadata {
    schema = List.copyOf(schema);
    rowGroups = List.copyOf(rowGroups);
  }
}
