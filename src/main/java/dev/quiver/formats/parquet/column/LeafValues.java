package dev.quiver.formats.parquet.column;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.parquet.file.Encoding;
import dev.quiver.formats.parquet.file.ParquetErrors;
import dev.quiver.formats.parquet.page.IndexDecoder;
import dev.quiver.formats.parquet.page.Page;
import dev.quiver.formats.parquet.page.PageBlock;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The values of a leaf column, decoded page by page into one array after the other.
abstract class LeafValues {

  final Workspace workspace;
  private final Field field;
  private final IndexDecoder indices = new IndexDecoder();
  private boolean isIndexed;
  private int dictionarySize;
  private @Nullable BitmapBuilder validity;
  private long slotCount;
  private long nullCount;

  LeafValues(Field field, Workspace workspace) {
    this.field = field;
    this.workspace = workspace;
  }

  /// Reads the dictionary of a column chunk.
  final void beginDictionary(Page page) {
    dictionarySize = page.valueCount();
    // Older writers state PLAIN_DICTIONARY, which means PLAIN here.
    readDictionary(
        new Page(page.content(), page.start(), page.end(), page.valueCount(), Encoding.PLAIN));
  }

  /// Begins a column chunk, whose dictionary page has not been read.
  final void beginChunk() {
    dictionarySize = 0;
    dropDictionary();
  }

  /// Begins a data page.
  final void beginPage(Page page) {
    isIndexed = IndexDecoder.isOf(page);
    if (isIndexed) {
      indices.reset(page);
    } else {
      beginPlain(page);
    }
  }

  /// Returns whether the values of the page are indices into the dictionary.
  final boolean isIndexed() {
    return isIndexed;
  }

  /// Returns the next indices, all of which are in the dictionary.
  final int[] indices(int count) {
    int[] read = workspace.indices;
    indices.read(read, count);
    int largest = Integer.MIN_VALUE;
    for (int i = 0; i < count; i++) {
      // Compares without a sign: a negative index is a large one.
      largest = Math.max(largest, read[i] + Integer.MIN_VALUE);
    }
    if (count > 0 && largest >= dictionarySize + Integer.MIN_VALUE) {
      throw ParquetErrors.damaged("indices within their dictionary");
    }
    return read;
  }

  /// Returns the maximum number of slots that may be appended at a time, at least 1.
  ///
  /// @param byteSize the wanted bytes of variable-size values
  int countMaximum(long byteSize) {
    return PageBlock.SLOTS_MAXIMUM;
  }

  /// Reads a dictionary page, whose encoding is PLAIN.
  abstract void readDictionary(Page page);

  abstract void dropDictionary();

  /// Moves the dictionary off the heap until [#unpark].
  abstract void park(SegmentAllocator parking);

  abstract void unpark();

  /// Begins a data page without indices.
  abstract void beginPlain(Page page);

  /// Begins an array.
  ///
  /// @param capacity the probable number of slots
  final void beginArray(SegmentAllocator allocator, int capacity) {
    validity = new BitmapBuilder(allocator, capacity);
    slotCount = 0;
    nullCount = 0;
    beginValues(allocator, capacity);
  }

  abstract void beginValues(SegmentAllocator allocator, int capacity);

  /// Appends the next slots, whose validity is in the workspace. Changes the validity.
  ///
  /// @param count at most [#countMaximum]
  /// @param validCount the slots that are not null
  final void append(int count, int validCount) {
    appendValues(count, validCount);
    Objects.requireNonNull(validity).append(workspace.valid, count);
    slotCount += count;
    nullCount += count - validCount;
  }

  /// Appends the values of slots, whose validity is in the workspace.
  abstract void appendValues(int count, int validCount);

  /// Returns the bytes of the array's variable-size values so far; 0 for other columns.
  long byteSize() {
    return 0;
  }

  /// Returns the array.
  final ArrayData endArray() {
    MemorySegment bits =
        nullCount == 0 ? MemorySegment.NULL : Objects.requireNonNull(validity).segment();
    List<MemorySegment> buffers = Stream.concat(Stream.of(bits), endValues().stream()).toList();
    return new ArrayData(field, slotCount, nullCount, buffers, List.of(), null);
  }

  /// Returns the buffers after the validity.
  abstract List<MemorySegment> endValues();
}
