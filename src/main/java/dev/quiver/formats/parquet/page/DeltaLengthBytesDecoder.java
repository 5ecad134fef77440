package dev.quiver.formats.parquet.page;

import dev.quiver.formats.parquet.file.ParquetErrors;

/// A decoder of values after their lengths: DELTA_LENGTH_BYTE_ARRAY.
///
/// ```text
/// Data → Lengths Value*, lengths as DELTA_BINARY_PACKED
/// ```
final class DeltaLengthBytesDecoder extends BytesDecoder {

  private final Page page;
  private final DeltaDecoder deltas;
  private final long[] part = new long[DeltaDecoder.PART_SIZE];
  private int position;

  DeltaLengthBytesDecoder(Page page) {
    this.page = page;
    this.deltas = new DeltaDecoder(page.content(), page.start(), page.end());
    this.position = deltas.end();
  }

  @Override
  public void read(GrowingBytes target, int[] lengths, int count) {
    long byteSize = 0;
    for (int done = 0; done < count; done += part.length) {
      byteSize += readLengths(lengths, done, Math.min(part.length, count - done));
    }
    if (byteSize > page.end() - position) {
      throw ParquetErrors.damaged("values within their page");
    }
    target.append(page.bytes(), position, (int) byteSize);
    position += (int) byteSize;
  }

  /// Reads lengths into an array from `at` on.
  ///
  /// @return their sum
  private long readLengths(int[] lengths, int at, int count) {
    deltas.read(part, count);
    long sum = 0;
    for (int i = 0; i < count; i++) {
      if (part[i] < 0 || part[i] > page.byteSize()) {
        throw ParquetErrors.damaged("values within their page");
      }
      lengths[at + i] = (int) part[i];
      sum += part[i];
    }
    return sum;
  }
}
