package dev.quiver.formats.parquet;

import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.transform.AppendedTypes;
import dev.quiver.arrow.transform.Cast;
import dev.quiver.arrow.transform.Casts;
import dev.quiver.arrow.transform.StoredTypes;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.FileBatchReader;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A Parquet file, whose rows have the Arrow types that it states, or the types of the dataset to
/// which they are appended.
public final class ParquetFile {

  /// The maximum number of columns that warnings of a kind name, since their paths may be long.
  private static final int LISTED_MAXIMUM = 1_000;

  private final ParquetContents contents;
  private final Schema schema;
  private final List<String> warnings = new ArrayList<>();

  private ParquetFile(
      ParquetContents contents,
      @Nullable Schema dataset,
      Limits limits,
      LongConsumer rowBytes,
      Path scratchFolder)
      throws IOException {
    this.contents = contents;
    contents
        .coarseTimestamps(LISTED_MAXIMUM)
        .forEach(column -> warn(column, "has 96-bit timestamps, rounded down to microseconds"));
    Schema stated = stated(limits);
    StoredTypes types = StoredTypes.of(contents.schema(), names(contents.schema(), stated), stated);
    AppendedTypes appended = appended(types, dataset);
    if (stated != null && !isExact()) {
      BitSet stale =
          StaleTypes.find(
              contents, types.schema(), stated(types, appended), rowBytes, scratchFolder);
      types = StoredTypes.of(contents.schema(), names(contents.schema(), stated), stated, stale);
      appended = appended(types, dataset);
    }
    Set<String> converted = appended == null ? Set.of() : appended.names();
    warn(types.keptColumns(), converted, "does not have the Arrow type that the file states");
    warn(types.unorderedColumns(), converted, "has a dictionary without the order of its values");
    Schema own = appended == null ? types.schema() : appended.schema();
    this.schema =
        own.withMetadata(
            FooterMetadata.merged(
                types.schema().metadata(), FooterMetadata.withoutSchemas(contents.keyValues())));
    warnOfLostTypes();
  }

  private @Nullable AppendedTypes appended(StoredTypes types, @Nullable Schema dataset) {
    return dataset == null ? null : AppendedTypes.of(contents.schema(), types.schema(), dataset);
  }

  /// Returns the indices of the columns that have the types of the stated schema.
  private static BitSet stated(StoredTypes types, @Nullable AppendedTypes appended) {
    Set<String> others = new HashSet<>(types.keptColumns());
    if (appended != null) {
      others.addAll(appended.names());
    }
    BitSet stated = new BitSet();
    for (int i = 0; i < types.schema().fields().size(); i++) {
      stated.set(i, !others.contains(types.schema().fields().get(i).name()));
    }
    return stated;
  }

  /// Warns of the logical types that Arrow lacks, unless an extension type of the column has them.
  private void warnOfLostTypes() {
    Set<String> extensions =
        schema.fields().stream()
            .filter(field -> field.extensionName() != null)
            .map(Field::name)
            .collect(Collectors.toSet());
    contents.lostTypes().stream()
        .filter(type -> type.path().parent() != null || !extensions.contains(type.path().name()))
        .limit(LISTED_MAXIMUM)
        .forEach(type -> warn(type.path().toString(), type.sentence()));
  }

  /// Reads the footer of a file.
  ///
  /// @param memory the heap that the file may take at a time, until its rows are read
  /// @param rowBytes receives the number of bytes before values are read ahead, and throws an
  ///   exception if the rows of the file have more than they may
  /// @param dataset the schema of the dataset to which the rows are appended, or null
  /// @param scratchFolder the folder of temporary files, used when native memory is exhausted
  /// @param checkpoint called repeatedly by the threads that read the file, now and later; its
  ///   exception ends the reading
  /// @throws dev.quiver.formats.ForeignDataException if the file cannot be read
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the footer or the schema is too
  ///   large, or a page while the rows are read
  public static ParquetFile open(
      Path path,
      Limits limits,
      PageMemory memory,
      LongConsumer rowBytes,
      @Nullable Schema dataset,
      Path scratchFolder,
      Runnable checkpoint)
      throws IOException {
    ParquetContents contents =
        ParquetContents.open(path, limits, memory, rowBytes, scratchFolder, checkpoint);
    return new ParquetFile(contents, dataset, limits, rowBytes, scratchFolder);
  }

  /// Returns the Arrow schema that the file states, or null.
  private @Nullable Schema stated(Limits limits) {
    String stated = value(StatedSchema.KEY);
    if (stated == null) {
      return null;
    }
    Schema schema = StatedSchema.decode(stated, value(StatedSchema.EXACT_KEY), limits);
    if (schema == null) {
      warnings.add("The file states Arrow types that are not of the Arrow format");
    }
    return schema;
  }

  /// Returns whether this service wrote the file, so that the columns have the types beside them.
  private boolean isExact() {
    String stated = value(StatedSchema.KEY);
    String exact = value(StatedSchema.EXACT_KEY);
    return stated != null && exact != null && StatedSchema.isExact(stated, exact);
  }

  private @Nullable String value(String key) {
    ByteString value = contents.keyValues().get(key);
    return value == null ? null : value.toString();
  }

  /// Returns the names of the columns: as in the stated schema, if the file has them as distinct
  /// ones.
  private static List<String> names(Schema read, @Nullable Schema stated) {
    List<String> names = names(read);
    return stated != null && ParquetExport.names(stated).equals(names) ? names(stated) : names;
  }

  private static List<String> names(Schema schema) {
    return schema.fields().stream().map(Field::name).toList();
  }

  private void warn(List<String> columns, Set<String> converted, String what) {
    columns.stream().filter(column -> !converted.contains(column)).forEach(c -> warn(c, what));
  }

  private void warn(String column, String what) {
    warnings.add("Column %s %s".formatted(ForeignDataException.excerpt(column), what));
  }

  /// Returns the schema of the rows.
  public Schema schema() {
    return schema;
  }

  public long rowCount() {
    return contents.rowCount();
  }

  /// Returns sentences about parts of the file that the rows lack.
  public List<String> warnings() {
    return warnings;
  }

  /// Begins to read all rows.
  ///
  /// @param scratchFolder the folder of temporary files, used when native memory is exhausted
  public FileBatchReader read(CpuPool pool, Path scratchFolder) throws IOException {
    List<Cast> casts = Casts.of(contents.schema(), schema);
    return new CastBatches(contents.read(pool, scratchFolder), schema, casts, scratchFolder);
  }
}
