package dev.quiver.formats.parquet.column;

import dev.quiver.formats.parquet.file.ParquetLeaf;
import dev.quiver.formats.parquet.page.Bits;
import dev.quiver.formats.parquet.page.BytesDecoder;
import dev.quiver.formats.parquet.page.GrowingBytes;
import dev.quiver.formats.parquet.page.HeapBudget;
import dev.quiver.formats.parquet.page.Page;
import dev.quiver.formats.parquet.page.PageBlock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Text and binary values, with 32-bit offsets.
///
/// A piece is so small that its offsets never overflow.
final class BytesValues extends LeafValues {

  private final HeapBudget budget;

  /// The values of the current array, in memory that the columns of a task share.
  private final GrowingBytes bytes;

  private @Nullable BytesDictionary dictionary;
  private @Nullable BytesDecoder decoder;
  private @Nullable BufferBuilder offsets;
  private @Nullable SegmentAllocator allocator;

  BytesValues(ParquetLeaf column, HeapBudget budget, Workspace workspace) {
    super(column.field(), workspace);
    this.budget = budget;
    this.bytes = workspace.bytes;
  }

  @Override
  void readDictionary(Page page) {
    dropDictionary();
    dictionary = BytesDictionary.read(page, BytesDecoder.of(page), budget);
  }

  @Override
  void dropDictionary() {
    if (dictionary != null) {
      dictionary.release(budget);
      dictionary = null;
    }
  }

  @Override
  void park(SegmentAllocator parking) {
    if (dictionary != null) {
      dictionary.bytes().park(parking, budget);
    }
  }

  @Override
  void unpark() {
    if (dictionary != null) {
      dictionary.bytes().unpark(budget);
    }
  }

  @Override
  void beginPlain(Page page) {
    decoder = BytesDecoder.of(page);
  }

  @Override
  int countMaximum(long byteSize) {
    if (!isIndexed()) {
      return Objects.requireNonNull(decoder).countMaximum(byteSize);
    }
    return dictionary == null ? PageBlock.SLOTS_MAXIMUM : dictionary.countMaximum(byteSize);
  }

  @Override
  void beginValues(SegmentAllocator newAllocator, int capacity) {
    allocator = newAllocator;
    bytes.clear();
    offsets = new BufferBuilder(newAllocator, (capacity + 1L) * Integer.BYTES);
    offsets.append(new int[1], 1);
  }

  @Override
  void appendValues(int count, int validCount) {
    int start = bytes.byteSize();
    int[] lengths = workspace.lengths;
    if (isIndexed()) {
      int[] indices = indices(validCount);
      if (dictionary != null) {
        dictionary.append(indices, validCount, bytes, lengths);
      }
    } else {
      Objects.requireNonNull(decoder).read(bytes, lengths, validCount);
    }
    if (validCount == count) {
      ends(lengths, start, workspace.offsets, count);
    } else {
      ends(lengths, start, workspace.valid, workspace.offsets, count);
    }
    Objects.requireNonNull(offsets).append(workspace.offsets, count);
  }

  private static void ends(int[] lengths, int start, int[] target, int count) {
    int end = start;
    for (int i = 0; i < count; i++) {
      end += lengths[i];
      target[i] = end;
    }
  }

  private static void ends(int[] lengths, int start, long[] valid, int[] target, int count) {
    int end = start;
    int from = 0;
    for (int i = 0; i < count; i++) {
      if (Bits.get(valid, i)) {
        end += lengths[from++];
      }
      target[i] = end;
    }
  }

  @Override
  long byteSize() {
    return bytes.byteSize();
  }

  @Override
  List<MemorySegment> endValues() {
    MemorySegment data = Objects.requireNonNull(allocator).allocate(bytes.byteSize(), Long.BYTES);
    MemorySegment.copy(MemorySegment.ofArray(bytes.array()), 0, data, 0, bytes.byteSize());
    return List.of(Objects.requireNonNull(offsets).segment(), data);
  }
}
