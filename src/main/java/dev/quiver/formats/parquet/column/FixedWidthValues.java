package dev.quiver.formats.parquet.column;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.parquet.file.LeafConversion;
import dev.quiver.formats.parquet.file.LeafType;
import dev.quiver.formats.parquet.file.ParquetErrors;
import dev.quiver.formats.parquet.file.ParquetLeaf;
import dev.quiver.formats.parquet.page.FixedWidthDecoder;
import dev.quiver.formats.parquet.page.HeapBudget;
import dev.quiver.formats.parquet.page.Page;
import dev.quiver.formats.parquet.page.PageBlock;
import dev.quiver.formats.parquet.page.PageBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Fixed-width values.
final class FixedWidthValues extends LeafValues {

  /// The bytes of a block, unless a single value has more.
  private static final int BLOCK_BYTE_SIZE = 128 << 10;

  private final LeafType type;
  private final int byteWidth;
  private final HeapBudget budget;
  private final PageBytes dictionary = new PageBytes();
  private @Nullable FixedWidthDecoder decoder;
  private @Nullable BufferBuilder values;

  FixedWidthValues(ParquetLeaf column, HeapBudget budget, Workspace workspace) {
    super(column.field(), workspace);
    this.type = column.leafType();
    this.byteWidth = type.byteWidth();
    this.budget = budget;
  }

  private FixedWidthDecoder decoder(Page page) {
    if (hasVariableSize()) {
      return new DecimalDecoder(page, byteWidth, workspace);
    }
    FixedWidthDecoder stored = FixedWidthDecoder.of(page, type.storedWidth());
    return type.conversion() == LeafConversion.NONE
        ? stored
        : new ConvertingDecoder(stored, type, workspace);
  }

  /// Returns whether the values differ in size in the file.
  private boolean hasVariableSize() {
    return type.storedWidth() == 0;
  }

  @Override
  void readDictionary(Page page) {
    dropDictionary();
    // Each value takes at least a byte of the page.
    if (page.valueCount() > page.byteSize()) {
      throw ParquetErrors.damaged("values within their dictionary");
    }
    dictionary.reserve(Math.multiplyExact(page.valueCount(), byteWidth), budget);
    FixedWidthDecoder plain = decoder(page);
    int done = 0;
    while (done < page.valueCount()) {
      int count = Math.min(countMaximum(Long.MAX_VALUE), page.valueCount() - done);
      byte[] block = workspace.values(count * byteWidth);
      plain.read(block, count);
      System.arraycopy(block, 0, dictionary.array(), done * byteWidth, count * byteWidth);
      done += count;
    }
  }

  @Override
  void dropDictionary() {
    dictionary.clear(budget);
  }

  @Override
  void park(SegmentAllocator parking) {
    dictionary.park(parking, budget);
  }

  @Override
  void unpark() {
    dictionary.unpark(budget);
  }

  @Override
  void beginPlain(Page page) {
    decoder = decoder(page);
  }

  @Override
  int countMaximum(long byteSize) {
    return Math.clamp(BLOCK_BYTE_SIZE / byteWidth, 1, PageBlock.SLOTS_MAXIMUM);
  }

  @Override
  void beginValues(SegmentAllocator allocator, int capacity) {
    values = new BufferBuilder(allocator, (long) capacity * byteWidth);
    if (hasVariableSize()) {
      workspace.bytes.clear();
    }
  }

  @Override
  void appendValues(int count, int validCount) {
    byte[] block = workspace.values(count * byteWidth);
    if (isIndexed()) {
      gather(indices(validCount), block, validCount);
    } else {
      Objects.requireNonNull(decoder).read(block, validCount);
    }
    if (validCount < count) {
      Spread.values(block, byteWidth, workspace.valid, count, validCount);
    }
    Objects.requireNonNull(values).append(block, count * byteWidth);
  }

  private void gather(int[] indices, byte[] target, int count) {
    switch (byteWidth) {
      case Long.BYTES -> gather8(dictionary.array(), indices, target, count);
      case Integer.BYTES -> gather4(dictionary.array(), indices, target, count);
      default -> gatherAny(indices, target, count);
    }
  }

  private static void gather8(byte[] dictionary, int[] indices, byte[] target, int count) {
    for (int i = 0; i < count; i++) {
      LittleEndian.setInt64(target, i << 3, LittleEndian.getInt64(dictionary, indices[i] << 3));
    }
  }

  private static void gather4(byte[] dictionary, int[] indices, byte[] target, int count) {
    for (int i = 0; i < count; i++) {
      LittleEndian.setInt32(target, i << 2, LittleEndian.getInt32(dictionary, indices[i] << 2));
    }
  }

  private void gatherAny(int[] indices, byte[] target, int count) {
    byte[] all = dictionary.array();
    for (int i = 0; i < count; i++) {
      System.arraycopy(all, indices[i] * byteWidth, target, i * byteWidth, byteWidth);
    }
  }

  @Override
  List<MemorySegment> endValues() {
    return List.of(Objects.requireNonNull(values).segment());
  }
}
