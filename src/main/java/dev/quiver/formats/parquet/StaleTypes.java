package dev.quiver.formats.parquet;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.transform.Cast;
import dev.quiver.arrow.transform.Casts;
import dev.quiver.arrow.transform.InvalidCastException;
import dev.quiver.arrow.transform.TotalCasts;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.formats.ForeignDataException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongConsumer;

/// A search for the columns with a value that the Arrow type beside them does not hold, as a tool
/// leaves it that writes other columns below the schema of before. Only columns with a type that
/// may lack values are read: such as seconds for milliseconds, but none of most files. A dictionary
/// with more values than its indices count is not searched for, since finding it takes as long as
/// reading the column.
final class StaleTypes {

  private final ParquetContents contents;
  private final LongConsumer rowBytes;
  private final Path scratchFolder;

  private StaleTypes(ParquetContents contents, LongConsumer rowBytes, Path scratchFolder) {
    this.contents = contents;
    this.rowBytes = rowBytes;
    this.scratchFolder = scratchFolder;
  }

  /// Returns the indices of the columns.
  ///
  /// @param stored the types beside the columns, to all of which a cast leads
  /// @param candidates the columns that are considered
  /// @param rowBytes receives the bytes that were read, and throws an exception if these are too
  ///   many
  static BitSet find(
      ParquetContents contents,
      Schema stored,
      BitSet candidates,
      LongConsumer rowBytes,
      Path scratchFolder)
      throws IOException {
    BitSet uncertain = (BitSet) candidates.clone();
    List<Field> read = contents.schema().fields();
    candidates.stream()
        .filter(i -> TotalCasts.isTotal(read.get(i), stored.fields().get(i)))
        .forEach(uncertain::clear);
    if (uncertain.isEmpty()) {
      return uncertain;
    }
    ParquetContents selected = contents.select(uncertain);
    List<Cast> casts =
        Casts.of(
            selected.schema(),
            Schema.of(uncertain.stream().mapToObj(stored.fields()::get).toArray(Field[]::new)));
    int[] columns = uncertain.stream().toArray();
    BitSet stale = new BitSet();
    new StaleTypes(selected, rowBytes, scratchFolder)
        .failing(casts).stream().forEach(i -> stale.set(columns[i]));
    return stale;
  }

  /// Returns the casts that fail for a value.
  private BitSet failing(List<Cast> casts) throws IOException {
    BitSet failing = new BitSet();
    long byteSize = 0;
    try (ParquetReader reader = contents.read(CpuPool.SINGLE, scratchFolder);
        BoundedMemory memory = reader.memory(scratchFolder)) {
      RecordBatch batch = reader.next();
      while (batch != null && failing.cardinality() < casts.size()) {
        for (int i = 0; i < casts.size(); i++) {
          ArrayData column = batch.columns().get(i);
          byteSize += column.byteSize();
          if (!failing.get(i) && !holds(casts.get(i), column, memory)) {
            failing.set(i);
          }
        }
        rowBytes.accept(byteSize);
        batch = reader.next();
      }
    }
    return failing;
  }

  private static boolean holds(Cast cast, ArrayData column, BoundedMemory memory) {
    try {
      cast.apply(column, memory);
      return true;
    } catch (InvalidCastException e) {
      return false;
    } catch (ForeignDataException e) {
      // The values in the other type exceed the memory.
      return false;
    } finally {
      memory.reset();
    }
  }
}
