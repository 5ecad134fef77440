package dev.quiver.formats.parquet.page;

import dev.quiver.formats.parquet.file.Encoding;
import dev.quiver.formats.parquet.file.ParquetErrors;

/// A decoder of indices into a dictionary: RLE_DICTIONARY.
public final class IndexDecoder {

  private final HybridDecoder decoder = new HybridDecoder();

  /// Returns whether the values of a page are indices.
  public static boolean isOf(Page page) {
    return page.encoding() == Encoding.RLE_DICTIONARY
        || page.encoding() == Encoding.PLAIN_DICTIONARY;
  }

  /// Moves to the start of a page.
  public void reset(Page page) {
    if (page.byteSize() == 0) {
      // A page of nulls may have no bit width.
      decoder.reset(page.content(), page.start(), page.end(), 1);
      return;
    }
    int bitWidth = page.bytes()[page.start()];
    if (bitWidth < 0 || bitWidth > Integer.SIZE) {
      throw ParquetErrors.damaged("indices of at most %d bits".formatted(Integer.SIZE));
    }
    decoder.reset(page.content(), page.start() + 1, page.end(), bitWidth);
  }

  /// Reads indices into the start of an array. The caller checks them against the dictionary.
  public void read(int[] target, int count) {
    decoder.read(target, count);
  }
}
