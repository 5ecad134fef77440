package dev.quiver.sql.query;

import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.Advice;
import dev.quiver.formats.FileOption;
import dev.quiver.formats.FileParameters;
import dev.quiver.formats.FileReport;
import dev.quiver.formats.SkippedRows;
import dev.quiver.formats.UploadData;
import dev.quiver.store.write.RowSource;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rows of a file of another format, which are read once. Used by one thread.
public final class ForeignRows implements RowSource.Rows {

  /// The maximum number of warnings. One more sentence says that others were omitted.
  private static final int WARNINGS_MAXIMUM = 100;

  private final UploadData data;
  private final Schema schema;
  private final @Nullable Long rowCount;
  private final List<Advice> advice;
  private final Map<String, Object> found;
  private final List<FileOption> options;
  private final @Nullable FileParameters parameters;
  private final Supplier<SkippedRows> skipped;
  private final Supplier<List<Advice>> leftOut;
  private final Closeable stream;

  /// @param rowCount the declared number of rows, or null if unknown
  /// @param found what was found rather than stated in the file, by name
  /// @param options by which the file is read
  /// @param parameters by which the file can be read as it is read, or null if it is not a file of
  ///   text in columns
  /// @param skipped the rows that were left out, once the others were read
  /// @param leftOut warnings about what was left out, once the rows were read
  /// @param stream what `data` is read from, closed with this
  ForeignRows(
      UploadData data,
      Schema schema,
      @Nullable Long rowCount,
      List<Advice> advice,
      Map<String, Object> found,
      List<FileOption> options,
      @Nullable FileParameters parameters,
      Supplier<SkippedRows> skipped,
      Supplier<List<Advice>> leftOut,
      Closeable stream) {
    this.data = data;
    this.schema = schema;
    this.rowCount = rowCount;
    this.advice = limited(advice);
    this.found = found;
    this.options = options;
    this.parameters = parameters;
    this.skipped = skipped;
    this.leftOut = leftOut;
    this.stream = stream;
  }

  private static List<Advice> limited(List<Advice> advice) {
    return advice.size() <= WARNINGS_MAXIMUM
        ? List.copyOf(advice)
        : Stream.concat(
                advice.stream().limit(WARNINGS_MAXIMUM),
                Stream.of(
                    new Advice(
                        "Expected at most %d warnings but found more".formatted(WARNINGS_MAXIMUM))))
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

  /// Returns the options by which the file is read, those that were found included.
  public List<FileOption> options() {
    return options;
  }

  /// Returns the parameters by which the file can be read as it is read, or null if it is not a
  /// file of text in columns.
  public @Nullable FileParameters parameters() {
    return parameters;
  }

  @Override
  public List<String> warnings() {
    return Advice.sentences(advice);
  }

  /// Returns what there is to tell of the file, once its rows were read.
  public FileReport report() {
    List<Advice> all = Stream.concat(advice.stream(), leftOut.get().stream()).toList();
    return new FileReport(all, found, skipped.get());
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
