package dev.quiver.formats.parquet;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.transform.Cast;
import dev.quiver.arrow.transform.Casts;
import dev.quiver.arrow.transform.InvalidCastException;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.FileBatchReader;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The rows of a file in other types. Used by one thread.
final class CastBatches implements FileBatchReader {

  private final ParquetReader reader;
  private final Schema schema;
  private final List<Cast> casts;
  private final BoundedMemory memory;

  /// The rows that were returned.
  private long rowCount;

  /// @param reader closed with this
  /// @param schema of the rows that this returns
  /// @param casts from the columns of the reader to the schema
  CastBatches(ParquetReader reader, Schema schema, List<Cast> casts, Path scratchFolder) {
    this.reader = reader;
    this.schema = schema;
    this.casts = casts;
    this.memory = reader.memory(scratchFolder);
  }

  @Override
  public @Nullable RecordBatch next() throws IOException {
    RecordBatch batch = reader.next();
    if (batch == null) {
      return null;
    }
    memory.reset();
    List<ArrayData> columns = new ArrayList<>();
    for (int i = 0; i < casts.size(); i++) {
      columns.add(cast(casts.get(i), batch.columns().get(i)));
    }
    rowCount += batch.length();
    return new RecordBatch(schema, batch.length(), columns);
  }

  private ArrayData cast(Cast cast, ArrayData column) {
    try {
      return cast.apply(column, memory);
    } catch (InvalidCastException e) {
      long row = rowCount + Casts.firstInvalid(cast, column, memory) + 1;
      throw ForeignDataException.of(e.sentence(), null, e.column(), e.value()).inRow(row);
    }
  }

  @Override
  public void close() throws IOException {
    try (reader;
        memory) {
      // The memory goes first.
    }
  }
}
