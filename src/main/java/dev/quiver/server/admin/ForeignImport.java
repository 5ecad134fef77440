package dev.quiver.server.admin;

import dev.quiver.arrow.memory.Limits;
import dev.quiver.formats.Format;
import dev.quiver.sql.query.FileOptions;
import dev.quiver.sql.query.ForeignFiles;
import dev.quiver.store.access.Principal;
import dev.quiver.store.write.RowSource;
import java.util.Map;

/// The import of files of other formats, which are read as uploads are.
///
/// @param limits on what a file may hold
record ForeignImport(ForeignFiles files, Limits limits) {

  /// Returns the reader of a file.
  RowSource reader(Format format) {
    return file ->
        files.read(
            file,
            FileOptions.parse(format, Map.of()),
            limits,
            Principal.SERVICE,
            ForeignFiles.Target.NONE);
  }
}
