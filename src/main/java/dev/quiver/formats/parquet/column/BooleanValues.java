package dev.quiver.formats.parquet.column;

import dev.quiver.formats.parquet.file.ParquetErrors;
import dev.quiver.formats.parquet.file.ParquetLeaf;
import dev.quiver.formats.parquet.page.BooleanDecoder;
import dev.quiver.formats.parquet.page.Page;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Booleans, which are bits in the file as well as in Arrow. They never have a dictionary.
final class BooleanValues extends LeafValues {

  private @Nullable BooleanDecoder decoder;
  private @Nullable BitmapBuilder values;

  BooleanValues(ParquetLeaf column, Workspace workspace) {
    super(column.field(), workspace);
  }

  @Override
  void readDictionary(Page page) {
    throw ParquetErrors.damaged("booleans without a dictionary");
  }

  @Override
  void dropDictionary() {}

  @Override
  void park(SegmentAllocator parking) {}

  @Override
  void unpark() {}

  @Override
  void beginPlain(Page page) {
    decoder = BooleanDecoder.of(page);
  }

  @Override
  void beginValues(SegmentAllocator allocator, int capacity) {
    values = new BitmapBuilder(allocator, capacity);
  }

  @Override
  void appendValues(int count, int validCount) {
    if (isIndexed()) {
      throw ParquetErrors.damaged("booleans without a dictionary");
    }
    long[] bits = workspace.bits;
    Arrays.fill(bits, 0);
    Objects.requireNonNull(decoder).read(bits, validCount);
    if (validCount < count) {
      Arrays.fill(workspace.spread, 0);
      Spread.bits(bits, workspace.valid, count, workspace.spread);
      bits = workspace.spread;
    }
    Objects.requireNonNull(values).append(bits, count);
  }

  @Override
  List<MemorySegment> endValues() {
    return List.of(Objects.requireNonNull(values).segment());
  }
}
