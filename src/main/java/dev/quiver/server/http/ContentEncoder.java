package dev.quiver.server.http;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/// An encoder to gzip (RFC 1952) or Zstandard (RFC 8878) at level 1, or to uncompressed Brotli,
/// part by part. Bodies that are kept are encoded at once, to fewer bytes.
///
/// Each part can be decoded as soon as it arrives, without the later ones. A failure in the middle
/// loses no byte that was sent before. Used by one thread.
///
/// A change of the bytes for the same content requires another number in entity tags
/// (`TagVariant`).
public final class ContentEncoder implements AutoCloseable {

  private static final int LEVEL = 1;

  /// The highest level whose windows every browser has memory for.
  private static final int KEPT_LEVEL = 19;

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
    return new ContentEncoder(output -> new Gzip(output, Deflater.BEST_SPEED));
  }

  /// Encodes a whole body that is sent often: 85 % of the bytes of level 1, for 4 times the work.
  static byte[] gzip(byte[] content) {
    return encoded(
        new ContentEncoder(output -> new Gzip(output, Deflater.BEST_COMPRESSION)), content);
  }

  /// Writes one frame, with the window of its level, for which every browser has memory: RFC 9659.
  public static ContentEncoder zstandard() {
    return new ContentEncoder(output -> new ZstdOutputStreamNoFinalizer(output, LEVEL));
  }

  /// Encodes a whole body that is sent often: 80 % of the bytes of level 1, for 50 times the work.
  /// The library fits its tables, which may be large, to the length.
  static byte[] zstandard(byte[] content) {
    return Zstd.compress(content, KEPT_LEVEL);
  }

  /// Writes Brotli data for clients that accept nothing else. It is a little larger than its
  /// content.
  public static ContentEncoder brotli() {
    return new ContentEncoder(UncompressedBrotli::new);
  }

  /// Encodes a whole body for clients that accept nothing else.
  static byte[] brotli(byte[] content) {
    return encoded(brotli(), content);
  }

  private static byte[] encoded(ContentEncoder encoder, byte[] content) {
    try (encoder) {
      return encoder.encodeLast(content, content.length);
    }
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

  private static final class Gzip extends GZIPOutputStream {

    Gzip(OutputStream output, int level) throws IOException {
      super(output, BUFFER_BYTES, true);
      def.setLevel(level);
    }
  }
}
