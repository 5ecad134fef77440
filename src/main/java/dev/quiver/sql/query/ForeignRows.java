package dev.quiver.sql.query;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.execution.ResultStream;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rows of a file of another format as an IPC stream, which is read once. Used by one thread.
public final class ForeignRows implements ByteSource, AutoCloseable {

  /// The maximum number of warnings. One more sentence says that others were omitted.
  private static final int WARNINGS_MAXIMUM = 100;

  private final ResultStream stream;
  private final @Nullable Long rowCount;
  private final List<String> warnings;

  /// Waits for the first bytes.
  ///
  /// @param rowCount the declared number of rows, or null if unknown
  /// @param reading closed when the rows are read or this is closed
  ForeignRows(
      ByteSource rows,
      @Nullable Long rowCount,
      List<String> warnings,
      Limits limits,
      Closeable reading)
      throws IOException {
    this.stream = ResultStream.of(rows, limits, reading);
    this.rowCount = rowCount;
    this.warnings = limited(warnings);
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
    return stream.schema();
  }

  /// Returns the declared number of rows, or null if unknown: only a Parquet file declares it
  /// before its rows.
  public @Nullable Long rowCount() {
    return rowCount;
  }

  /// Returns sentences about what the rows lack of the file.
  public List<String> warnings() {
    return warnings;
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    return stream.read(destination);
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
