package dev.quiver.formats.parquet.page;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.formats.parquet.file.Encoding;
import dev.quiver.formats.parquet.file.ParquetErrors;

/// A decoder of booleans.
public abstract class BooleanDecoder {

  /// Returns a decoder of the values of a page.
  public static BooleanDecoder of(Page page) {
    Encoding encoding = page.decodedEncoding();
    return switch (encoding) {
      case PLAIN -> new Plain(page);
      case RLE -> new Runs(page);
      case null, default -> throw ParquetErrors.unsupported(encoding);
    };
  }

  /// Reads values as bits.
  ///
  /// @param words zero at those bits
  public abstract void read(long[] words, int count);

  /// Bits, least significant bit first.
  private static final class Plain extends BooleanDecoder {

    private final Page page;
    private long bit;

    Plain(Page page) {
      this.page = page;
      this.bit = (long) page.start() << 3;
    }

    @Override
    public void read(long[] words, int count) {
      if (count > ((long) page.end() << 3) - bit) {
        throw ParquetErrors.damaged("as many values as it states");
      }
      for (int done = 0; done < count; ) {
        int part = Math.min(Bits.UNALIGNED_MAXIMUM, count - done);
        Bits.put(words, done, Bits.get(page.bytes(), bit, part), part);
        bit += part;
        done += part;
      }
    }
  }

  /// The hybrid of runs and bits, after its size.
  private static final class Runs extends BooleanDecoder {

    private final HybridDecoder decoder = new HybridDecoder();

    Runs(Page page) {
      if (page.byteSize() < Integer.BYTES) {
        throw ParquetErrors.damaged("values within their page");
      }
      int start = page.start() + Integer.BYTES;
      int byteSize = LittleEndian.getInt32(page.bytes(), page.start());
      if (byteSize < 0 || byteSize > page.end() - start) {
        throw ParquetErrors.damaged("values within their page");
      }
      decoder.reset(page.content(), start, start + byteSize, 1);
    }

    @Override
    public void read(long[] words, int count) {
      decoder.readBits(words, count);
    }
  }
}
