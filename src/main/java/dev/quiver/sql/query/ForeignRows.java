package dev.quiver.sql.query;

import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.UploadData;
import dev.quiver.store.write.RowSource;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rows of a file of another format, which are read once. Used by one thread.
public final class ForeignRows implements RowSource.Rows {

  /// The maximum number of warnings. One more sentence says that others were omitted.
  private static final int WARNINGS_MAXIMUM = 100;

  private final UploadData data;
  private final Schema schema;
  private final @Nullable Long rowCount;
  private final List<String> warnings;
  private final Map<String, Object> found;
  private final Closeable stream;

  /// @param rowCount the declared number of rows, or null if unknown
  /// @param found what was found rather than stated in the file, by name
  /// @param stream what `data` is read from, closed with this
  ForeignRows(
      UploadData data,
      Schema schema,
      @Nullable Long rowCount,
      List<String> warnings,
      Map<String, Object> found,
      Closeable stream) {
    this.data = data;
    this.schema = schema;
    this.rowCount = rowCount;
    this.warnings = limited(warnings);
    this.found = found;
    this.stream = stream;
  }

  private static List<String> limited(List<String> warnings) {
    return warnings.size() <= WARNINGS_MAXIMUM
        ? List.copyOf(warnings)
        : Stream.concat(
                warnings.stream().limit(WARNINGS_MAXIMUM),
                Stream.of(
                    "Expected at most %d warnings but found more".formatted(WARNINGS_MAXIMUM)))
            .toList();
  }

  public Schema schema() {
    return schema;
  }

  /// Returns the declared number of rows, or null if unknown: only a Parquet file declares it
  /// before its rows.
  public @Nullable Long rowCount() {
    return rowCount;
  }

  @Override
  public List<String> warnings() {
    return warnings;
  }

  /// Returns what was found rather than stated in the file, by name.
  public Map<String, Object> found() {
    return found;
  }

  @Override
  public UploadData data() {
    return data;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
