package dev.quiver.server.http;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// An encoder to gzip (RFC 1952) or Zstandard (RFC 8878) at level 1, or to uncompressed Brotli,
/// part by part.
///
/// Each part can be decoded as soon as it arrives, without the later ones. A failure in the middle
/// loses no byte that was sent before. Used by one thread.
///
/// A change of the bytes for the same content requires another number in entity tags
/// (`TagVariant`).
public final class ContentEncoder implements AutoCloseable {

  private static final int LEVEL = 1;
  private static final int BUFFER_BYTES = 32 << 10;

  private final ByteArrayOutputStream coded = new ByteArrayOutputStream();
  private final OutputStream encoder;

  private interface Opening {
    OutputStream over(OutputStream coded) throws IOException;
  }

  private ContentEncoder(Opening opening) {
    try {
      encoder = opening.over(coded);
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  public static ContentEncoder gzip() {
    return new ContentEncoder(FastGzip::new);
  }

  /// Writes one frame, with the window of its level, for which every browser has memory: RFC 9659.
  public static ContentEncoder zstandard() {
    return new ContentEncoder(output -> new ZstdOutputStreamNoFinalizer(output, LEVEL));
  }

  /// Writes Brotli data for clients that accept nothing else. It is a little larger than its
  /// content.
  public static ContentEncoder brotli() {
    return new ContentEncoder(UncompressedBrotli::new);
  }

  /// Encodes the next `count` bytes of the content.
  public byte[] encode(byte[] content, int count) {
    try {
      encoder.write(content, 0, count);
      encoder.flush();
    } catch (IOException e) {
      throw inMemory(e);
    }
    return taken();
  }

  /// Encodes the last `count` bytes of the content, and ends the data.
  public byte[] encodeLast(byte[] content, int count) {
    try {
      encoder.write(content, 0, count);
      encoder.close();
    } catch (IOException e) {
      throw inMemory(e);
    }
    return taken();
  }

  /// Frees the library's memory, whether or not the data has ended.
  @Override
  public void close() {
    try {
      encoder.close();
    } catch (IOException e) {
      throw inMemory(e);
    }
  }

  private byte[] taken() {
    byte[] bytes = coded.toByteArray();
    coded.reset();
    return bytes;
  }

  private static AssertionError inMemory(IOException e) {
    return new AssertionError("bytes in memory", e);
  }

  private static final class FastGzip extends GZIPOutputStream {

    FastGzip(OutputStream output) throws IOException {
      super(output, BUFFER_BYTES, true);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
