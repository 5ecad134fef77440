package dev.quiver.sql.query;

import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.Advice;
import dev.quiver.formats.ColumnRenames;
import dev.quiver.formats.FileBatchReader;
import dev.quiver.formats.FileOption;
import dev.quiver.formats.FileParameters;
import dev.quiver.formats.SkippedRows;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The description of a file, and its rows.
///
/// @param found what was found rather than stated in the file, by name
/// @param options by which the file is read
/// @param parameters by which another file can be read as it is read, or null if it is not a file
///   of text in columns
/// @param rowCount the declared number of rows, or null if unknown
/// @param skipped the rows that were left out, once the others were read
/// @param leftOut warnings about what was left out, once the rows were read
/// @param valid whether the rows need no validation
record FileHead(
    Schema schema,
    List<Advice> advice,
    Map<String, Object> found,
    List<FileOption> options,
    @Nullable FileParameters parameters,
    @Nullable Long rowCount,
    FileBatchReader rows,
    Supplier<SkippedRows> skipped,
    Supplier<List<Advice>> leftOut,
    boolean valid) {

  /// Returns the description with names that the next file gets as well.
  FileHead keeping(ColumnRenames renames) {
    return new FileHead(
        schema,
        advice,
        found,
        options,
        parameters == null ? null : parameters.with(renames),
        rowCount,
        rows,
        skipped,
        leftOut,
        valid);
  }

  /// Returns the description with new names for columns.
  FileHead renamed(ColumnRenames renames) {
    return new FileHead(
            renames.apply(schema),
            advice,
            found,
            options,
            parameters,
            rowCount,
            rows,
            skipped,
            leftOut,
            valid)
        .keeping(renames);
  }
}
