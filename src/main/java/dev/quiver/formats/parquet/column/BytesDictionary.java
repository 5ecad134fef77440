package dev.quiver.formats.parquet.column;

import dev.quiver.formats.parquet.file.ParquetErrors;
import dev.quiver.formats.parquet.page.BytesDecoder;
import dev.quiver.formats.parquet.page.GrowingBytes;
import dev.quiver.formats.parquet.page.HeapBudget;
import dev.quiver.formats.parquet.page.Page;
import dev.quiver.formats.parquet.page.PageBlock;
import dev.quiver.formats.parquet.page.PageBytes;

/// A dictionary of text or binary values.
///
/// @param bytes the values, with [GrowingBytes#ROOM] after them
/// @param offsets the starts of the values, and the end of the last one
/// @param lengthMaximum the size of the longest value
record BytesDictionary(PageBytes bytes, int[] offsets, int lengthMaximum) {

  /// Reads a dictionary page.
  ///
  /// @param decoder of the page
  /// @param budget from which the memory is taken until [#release]
  static BytesDictionary read(Page page, BytesDecoder decoder, HeapBudget budget) {
    int count = page.valueCount();
    int pageByteSize = page.byteSize();
    // Each value has its length, of four bytes.
    if (count > pageByteSize / Integer.BYTES) {
      throw ParquetErrors.damaged("values within their dictionary");
    }
    budget.take((count + 1L) * Integer.BYTES);
    int[] offsets = new int[count + 1];
    int[] lengths = new int[page.blockCapacity()];
    GrowingBytes values = new GrowingBytes(pageByteSize, budget);
    values.reserve(pageByteSize);
    int lengthMaximum = 0;
    int end = 0;
    for (int done = 0; done < count; ) {
      int part = Math.min(decoder.countMaximum(Long.MAX_VALUE), count - done);
      decoder.read(values, lengths, part);
      for (int i = 0; i < part; i++) {
        end += lengths[i];
        offsets[++done] = end;
        lengthMaximum = Math.max(lengthMaximum, lengths[i]);
      }
    }
    return new BytesDictionary(new PageBytes(values.array()), offsets, lengthMaximum);
  }

  void release(HeapBudget budget) {
    bytes.clear(budget);
    budget.take(-(long) offsets.length * Integer.BYTES);
  }

  /// Returns the number of values, at least 1, that surely fit the given bytes.
  int countMaximum(long byteSize) {
    return Math.clamp(byteSize / Math.max(1, lengthMaximum), 1, PageBlock.SLOTS_MAXIMUM);
  }

  /// Appends values.
  ///
  /// @param indices at most [#countMaximum], all of which are in the dictionary
  /// @param lengths receives the lengths of the values
  void append(int[] indices, int count, GrowingBytes target, int[] lengths) {
    target.appendAll(bytes.array(), offsets, indices, count, lengthMaximum, lengths);
  }
}
