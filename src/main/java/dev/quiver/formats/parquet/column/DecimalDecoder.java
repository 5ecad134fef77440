package dev.quiver.formats.parquet.column;

import dev.quiver.formats.parquet.file.DecimalConversion;
import dev.quiver.formats.parquet.page.BytesDecoder;
import dev.quiver.formats.parquet.page.FixedWidthDecoder;
import dev.quiver.formats.parquet.page.GrowingBytes;
import dev.quiver.formats.parquet.page.Page;

/// A decoder of decimals that are stored as a BYTE_ARRAY: values of any size.
final class DecimalDecoder extends FixedWidthDecoder {

  private final BytesDecoder decoder;
  private final int byteWidth;
  private final Workspace workspace;

  /// @param byteWidth the bytes of a decimal in Arrow
  /// @param workspace whose bytes are cleared for each piece; the stored values go there
  DecimalDecoder(Page page, int byteWidth, Workspace workspace) {
    this.decoder = BytesDecoder.of(page);
    this.byteWidth = byteWidth;
    this.workspace = workspace;
  }

  @Override
  public void read(byte[] target, int count) {
    GrowingBytes bytes = workspace.bytes;
    int[] lengths = workspace.lengths;
    int start = bytes.byteSize();
    decoder.read(bytes, lengths, count);
    for (int i = 0; i < count; i++) {
      DecimalConversion.reverse(bytes.array(), start, lengths[i], target, i * byteWidth, byteWidth);
      start += lengths[i];
    }
  }
}
