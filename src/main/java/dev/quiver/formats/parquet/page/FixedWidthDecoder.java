package dev.quiver.formats.parquet.page;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.parquet.file.Encoding;
import dev.quiver.formats.parquet.file.ParquetErrors;

/// A decoder of values of one width to the form that they have in PLAIN pages.
public abstract class FixedWidthDecoder {

  /// Returns a decoder of the values of a page.
  ///
  /// @param byteWidth the size of a value in bytes, positive
  public static FixedWidthDecoder of(Page page, int byteWidth) {
    Encoding encoding = page.decodedEncoding();
    return switch (encoding) {
      case PLAIN -> new Plain(page, byteWidth);
      case BYTE_STREAM_SPLIT -> new StreamSplit(page, byteWidth);
      case DELTA_BINARY_PACKED -> delta(page, byteWidth);
      case DELTA_BYTE_ARRAY -> new DeltaBytes(page, byteWidth);
      case null, default -> throw ParquetErrors.unsupported(encoding);
    };
  }

  private static FixedWidthDecoder delta(Page page, int byteWidth) {
    if (byteWidth != Integer.BYTES && byteWidth != Long.BYTES) {
      throw ParquetErrors.unsupported(Encoding.DELTA_BINARY_PACKED);
    }
    return new Delta(page, byteWidth);
  }

  /// Reads values into the start of an array.
  public abstract void read(byte[] target, int count);

  /// Consecutive values.
  private static final class Plain extends FixedWidthDecoder {

    private final Page page;
    private final int byteWidth;
    private int position;

    Plain(Page page, int byteWidth) {
      this.page = page;
      this.byteWidth = byteWidth;
      this.position = page.start();
    }

    @Override
    public void read(byte[] target, int count) {
      long byteSize = (long) count * byteWidth;
      if (byteSize > page.end() - position) {
        throw ParquetErrors.damaged("as many values as it states");
      }
      System.arraycopy(page.bytes(), position, target, 0, (int) byteSize);
      position += (int) byteSize;
    }
  }

  /// A stream of the first bytes of all values, one of the second bytes, and so on.
  private static final class StreamSplit extends FixedWidthDecoder {

    private final Page page;
    private final int byteWidth;
    private final int valueCount;
    private int index;

    StreamSplit(Page page, int byteWidth) {
      this.page = page;
      this.byteWidth = byteWidth;
      this.valueCount = page.byteSize() / byteWidth;
      if (valueCount * byteWidth != page.byteSize()) {
        throw ParquetErrors.damaged("streams of one size");
      }
    }

    @Override
    public void read(byte[] target, int count) {
      if (count > valueCount - index) {
        throw ParquetErrors.damaged("as many values as it states");
      }
      for (int i = 0; i < byteWidth; i++) {
        scatter(page.bytes(), page.start() + i * valueCount + index, target, i, count);
      }
      index += count;
    }

    private void scatter(byte[] from, int start, byte[] to, int first, int count) {
      int at = first;
      for (int i = 0; i < count; i++) {
        to[at] = from[start + i];
        at += byteWidth;
      }
    }
  }

  /// Integers in DELTA_BINARY_PACKED, truncated to their width.
  private static final class Delta extends FixedWidthDecoder {

    private final DeltaDecoder deltas;
    private final int byteWidth;
    private final long[] part = new long[DeltaDecoder.PART_SIZE];

    Delta(Page page, int byteWidth) {
      this.deltas = new DeltaDecoder(page.content(), page.start(), page.end());
      this.byteWidth = byteWidth;
    }

    @Override
    public void read(byte[] target, int count) {
      for (int done = 0; done < count; done += part.length) {
        readPart(target, done * byteWidth, Math.min(part.length, count - done));
      }
    }

    private void readPart(byte[] target, int offset, int count) {
      deltas.read(part, count);
      if (byteWidth == Long.BYTES) {
        for (int i = 0; i < count; i++) {
          LittleEndian.setInt64(target, offset + (i << 3), part[i]);
        }
      } else {
        for (int i = 0; i < count; i++) {
          LittleEndian.setInt32(target, offset + (i << 2), (int) part[i]);
        }
      }
    }
  }

  /// Values in the encoding of values of any size.
  private static final class DeltaBytes extends FixedWidthDecoder {

    private final DeltaBytesDecoder decoder;
    private final int byteWidth;

    DeltaBytes(Page page, int byteWidth) {
      this.decoder = new DeltaBytesDecoder(page);
      this.byteWidth = byteWidth;
    }

    @Override
    public void read(byte[] target, int count) {
      decoder.readFixedWidth(target, byteWidth, count);
    }
  }
}
