package dev.quiver.formats.parquet.page;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.parquet.file.Encoding;
import dev.quiver.formats.parquet.file.ParquetErrors;

/// A decoder of values of any size: `BYTE_ARRAY`.
public abstract class BytesDecoder {

  private static final int SHORT_MAXIMUM = 2 * Long.BYTES;

  /// Returns a decoder of the values of a page.
  public static BytesDecoder of(Page page) {
    Encoding encoding = page.decodedEncoding();
    return switch (encoding) {
      case PLAIN -> new Plain(page);
      case DELTA_LENGTH_BYTE_ARRAY -> new DeltaLengthBytesDecoder(page);
      case DELTA_BYTE_ARRAY -> new DeltaBytesDecoder(page);
      case null, default -> throw ParquetErrors.unsupported(encoding);
    };
  }

  /// Appends values.
  ///
  /// @param lengths the array whose start receives the lengths of the values
  /// @param count at most [PageBlock#SLOTS_MAXIMUM], and preferably [#countMaximum]
  public abstract void read(GrowingBytes target, int[] lengths, int count);

  /// Returns the number of values, at least 1, that are worth reading at a time if they should have
  /// about `byteSize` bytes.
  public int countMaximum(long byteSize) {
    return PageBlock.SLOTS_MAXIMUM;
  }

  /// Values, each after its length.
  private static final class Plain extends BytesDecoder {

    private final Page page;
    private int position;

    Plain(Page page) {
      this.page = page;
      this.position = page.start();
    }

    @Override
    public void read(GrowingBytes target, int[] lengths, int count) {
      int from = position;
      int end = page.end();
      byte[] bytes = page.bytes();
      byte[] array = target.array;
      int to = target.byteSize;
      for (int i = 0; i < count; i++) {
        if (end - from < Integer.BYTES) {
          throw ParquetErrors.damaged("as many values as it states");
        }
        int length = LittleEndian.getInt32(bytes, from);
        from += Integer.BYTES;
        if (length < 0 || length > end - from) {
          throw ParquetErrors.damaged("values within their page");
        }
        if (length > array.length - GrowingBytes.ROOM - to) {
          target.byteSize = to;
          target.reserve(length);
          array = target.array;
        }
        if (length <= SHORT_MAXIMUM) {
          LittleEndian.setInt64(array, to, LittleEndian.getInt64(bytes, from));
          LittleEndian.setInt64(
              array, to + Long.BYTES, LittleEndian.getInt64(bytes, from + Long.BYTES));
        } else {
          System.arraycopy(bytes, from, array, to, length);
        }
        lengths[i] = length;
        from += length;
        to += length;
      }
      target.byteSize = to;
      position = from;
    }
  }
}
