package dev.quiver.formats.parquet.page;

import dev.quiver.formats.parquet.file.Encoding;
import org.jspecify.annotations.Nullable;

/// The values of a data page or a dictionary page, without levels.
///
/// @param content the array of the page, with [PageBytes#ROOM] bytes after `end`
/// @param end the offset after the last value
/// @param valueCount the number of values, which for data pages includes nulls
/// @param encoding the encoding of the values, or null if unknown
public record Page(
    PageBytes content, int start, int end, int valueCount, @Nullable Encoding encoding) {

  /// Returns the current array, which parking replaces.
  byte[] bytes() {
    return content.array;
  }

  /// Returns the maximum number of values that are decoded at a time.
  public int blockCapacity() {
    return Math.min(PageBlock.SLOTS_MAXIMUM, valueCount);
  }

  /// Returns the encoding for a decoder to choose. An empty page, which has nulls only, is valid in
  /// any encoding.
  @Nullable Encoding decodedEncoding() {
    return byteSize() == 0 ? Encoding.PLAIN : encoding;
  }

  public int byteSize() {
    return end - start;
  }
}
