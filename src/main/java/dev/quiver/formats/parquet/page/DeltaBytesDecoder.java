package dev.quiver.formats.parquet.page;

import dev.quiver.formats.parquet.file.ParquetErrors;

/// A decoder of values that share a prefix with the value before: DELTA_BYTE_ARRAY.
///
/// ```text
/// Data → PrefixLengths SuffixLengths Suffix*, lengths as DELTA_BINARY_PACKED
/// ```
///
/// Each value is assembled in the page itself, ending with its suffix. The suffixes so far have at
/// least as many bytes as the value, since its prefix consists of earlier suffixes.
final class DeltaBytesDecoder extends BytesDecoder {

  private final Page page;
  private final DeltaDecoder prefixes;
  private final DeltaDecoder suffixes;

  /// The lengths of the values from [#next] to [#filled], decoded ahead.
  private final long[] prefixLengths = new long[DeltaDecoder.PART_SIZE];

  private final long[] suffixLengths = new long[DeltaDecoder.PART_SIZE];
  private int next;
  private int filled;

  /// The current value, from `start` to `end` in the page.
  private int start;

  private int end;

  DeltaBytesDecoder(Page page) {
    this.page = page;
    this.prefixes = new DeltaDecoder(page.content(), page.start(), page.end());
    this.suffixes = new DeltaDecoder(page.content(), prefixes.end(), page.end());
    this.end = suffixes.end();
    this.start = end;
  }

  @Override
  public int countMaximum(long byteSize) {
    if (next == filled && prefixes.left() > 0) {
      fill();
    }
    int count = 0;
    long total = 0;
    while (count < filled - next && total < byteSize) {
      total += prefixLengths[next + count] + suffixLengths[next + count];
      count++;
    }
    // After the last value there are only nulls.
    return next == filled ? PageBlock.SLOTS_MAXIMUM : Math.max(1, count);
  }

  @Override
  public void read(GrowingBytes target, int[] lengths, int count) {
    for (int i = 0; i < count; i++) {
      advance();
      lengths[i] = end - start;
      target.append(page.bytes(), start, lengths[i]);
    }
  }

  /// Reads values of one size into the start of an array.
  void readFixedWidth(byte[] target, int byteWidth, int count) {
    for (int i = 0; i < count; i++) {
      advance();
      if (end - start != byteWidth) {
        throw ParquetErrors.damaged("values of %d bytes".formatted(byteWidth));
      }
      System.arraycopy(page.bytes(), start, target, i * byteWidth, byteWidth);
    }
  }

  private void advance() {
    if (next == filled) {
      fill();
    }
    int prefix = (int) prefixLengths[next];
    int suffix = (int) suffixLengths[next];
    next++;
    if (prefix > end - start || suffix > page.end() - end) {
      throw ParquetErrors.damaged("values within their page");
    }
    if (prefix < end - start) {
      System.arraycopy(page.bytes(), start, page.bytes(), end - prefix, prefix);
    }
    start = end - prefix;
    end += suffix;
  }

  /// Decodes the lengths of the next values.
  private void fill() {
    filled = Math.clamp(prefixes.left(), 1, DeltaDecoder.PART_SIZE);
    next = 0;
    prefixes.read(prefixLengths, filled);
    suffixes.read(suffixLengths, filled);
    for (int i = 0; i < filled; i++) {
      if (isInvalid(prefixLengths[i]) || isInvalid(suffixLengths[i])) {
        throw ParquetErrors.damaged("values within their page");
      }
    }
  }

  private boolean isInvalid(long length) {
    return length < 0 || length > page.byteSize();
  }
}
