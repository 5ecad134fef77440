package dev.quiver.server.admin;

import dev.quiver.arrow.memory.Limits;
import dev.quiver.formats.Format;
import dev.quiver.sql.query.FileOptions;
import dev.quiver.sql.query.ForeignFiles;
import dev.quiver.sql.query.ForeignRows;
import dev.quiver.store.write.RowSource;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/// The import of files of other formats, which are read as uploads are.
///
/// @param limits on what a file may hold
record ForeignImport(ForeignFiles files, Limits limits) {

  /// Returns the reader of a file.
  RowSource reader(Format format) {
    return file ->
        new Rows(
            files.read(
                file,
                FileOptions.parse(format, Map.of()),
                limits,
                ForeignFiles.DatasetSchema.NONE));
  }

  private record Rows(ForeignRows rows) implements RowSource.Rows {

    @Override
    public long read(MemorySegment destination) throws IOException {
      return rows.read(destination);
    }

    @Override
    public List<String> warnings() {
      return rows.warnings();
    }

    @Override
    public void close() throws IOException {
      rows.close();
    }
  }
}
