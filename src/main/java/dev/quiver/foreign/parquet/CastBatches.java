package dev.quiver.foreign.parquet;

import dev.quiver.cast.BatchCast;
import dev.quiver.cast.InvalidCastException;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.foreign.BatchReader;
import dev.quiver.foreign.ForeignDataException;
import dev.quiver.foreign.parquet.read.BoundedMemory;
import dev.quiver.foreign.parquet.read.ParquetReader;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The rows of another reader in other types. Used by one thread.
final class CastBatches implements BatchReader {

  private final ParquetReader reader;
  private final BatchCast cast;
  private final BoundedMemory memory;

  /// @param reader closed with this
  CastBatches(ParquetReader reader, BatchCast cast, Path scratchFolder) {
    this.reader = reader;
    this.cast = cast;
    this.memory = reader.memory(scratchFolder);
  }

  @Override
  public @Nullable RecordBatch next() throws IOException {
    RecordBatch batch = reader.next();
    if (batch == null) {
      return null;
    }
    memory.reset();
    try {
      return cast.apply(batch, memory);
    } catch (InvalidCastException e) {
      throw ForeignDataException.of(e.sentence(), null, e.column(), e.value());
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
