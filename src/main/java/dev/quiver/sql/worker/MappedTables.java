package dev.quiver.sql.worker;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MessageHeader.SchemaHeader;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.engine.Table;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The stored versions that a statement may read, mapped until it ends.
///
/// @param byName the versions by their names in the statement
/// @param schemas the schemas of the versions as they are stored, by the same names
record MappedTables(
    Map<String, Table> byName, Map<String, Schema> schemas, List<MappedVersion> versions)
    implements AutoCloseable {

  /// Maps all versions, or none.
  ///
  /// @param pieces the mapped pieces of files
  /// @param scanned counts the rows of the batches that are read
  /// @param check throws a [dev.quiver.sql.engine.EngineException] if the statement is to end
  /// @throws IOException if a file is gone
  /// @throws RuntimeException if a file has no valid footer
  static MappedTables open(
      List<StoredTable> tables, MappedPieces pieces, ScannedRows scanned, Runnable check)
      throws IOException {
    MappedTables mapped = new MappedTables(new HashMap<>(), new HashMap<>(), new ArrayList<>());
    try {
      for (StoredTable table : tables) {
        MappedVersion version = MappedVersion.open(table, pieces, scanned);
        mapped.versions.add(version);
        mapped.byName.put(table.name(), rows(version, table, check));
        mapped.schemas.put(table.name(), version.storedSchema());
      }
      return mapped;
    } catch (IOException | RuntimeException e) {
      mapped.close();
      throw e;
    }
  }

  private static Table rows(MappedVersion version, StoredTable table, Runnable check) {
    if (table.predicate() != null) {
      return new FilteredRows(version, table.predicate(), check);
    }
    if (table.leading() != null) {
      return new LeadingRows(version, table.leading(), check);
    }
    if (table.numbering() != null) {
      return new NumberedRows(version, table.numbering());
    }
    if (table.counted()) {
      return new CountedRows(version);
    }
    return table.schema().byteSize() == 0
        ? version
        : new RetypedRows(version, schema(table.schema()));
  }

  private static Schema schema(ByteString metadata) {
    MemorySegment flatbuffer = MemorySegment.ofArray(metadata.toByteArray());
    return ((SchemaHeader) MessageDecoder.decode(flatbuffer, Limits.ACCEPTED).header()).schema();
  }

  @Override
  public void close() {
    versions.forEach(MappedVersion::close);
  }
}
