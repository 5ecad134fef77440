package dev.quiver.formats.value;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/// Text of another encoding as UTF-8. Bytes that are not of the encoding become one that is never
/// part of UTF-8, so that readers of the text find them where they are.
public final class TranscodedText extends InputStream {

  private static final byte INVALID = (byte) 0xFF;
  private static final int BUFFER_BYTE_SIZE = 16 << 10;
  private static final int CHARACTER_BYTE_SIZE_MAXIMUM = 4;

  private final InputStream file;
  private final CharsetDecoder decoder;
  private final CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
  private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTE_SIZE).flip();
  private final CharBuffer chars = CharBuffer.allocate(BUFFER_BYTE_SIZE).flip();

  /// Text that waits to be read: up to three bytes for each character, and one for what is invalid.
  private final ByteBuffer text = ByteBuffer.allocate(3 * BUFFER_BYTE_SIZE + 1).flip();

  private boolean ended;

  public TranscodedText(InputStream file, Charset charset) {
    this(file, charset.newDecoder());
  }

  public TranscodedText(InputStream file, TextEncoding encoding) {
    this(file, encoding.newDecoder());
  }

  private TranscodedText(InputStream file, CharsetDecoder decoder) {
    this.file = file;
    this.decoder = decoder;
  }

  @Override
  public int read() throws IOException {
    return hasText() ? text.get() & 0xFF : -1;
  }

  @Override
  public int read(byte[] destination, int offset, int length) throws IOException {
    if (!hasText()) {
      return -1;
    }
    int count = Math.min(length, text.remaining());
    text.get(destination, offset, count);
    return count;
  }

  /// Decodes text unless some waits. Returns whether there is any.
  private boolean hasText() throws IOException {
    while (!text.hasRemaining()) {
      if (ended && !bytes.hasRemaining()) {
        return false;
      }
      fill();
    }
    return true;
  }

  private void fill() throws IOException {
    if (!ended && bytes.remaining() < CHARACTER_BYTE_SIZE_MAXIMUM) {
      bytes.compact();
      int count = file.read(bytes.array(), bytes.position(), bytes.remaining());
      ended = count < 0;
      bytes.position(bytes.position() + Math.max(count, 0));
      bytes.flip();
    }
    chars.clear();
    text.clear();
    CoderResult result = decoder.decode(bytes, chars, ended);
    // The decoder gives whole characters only.
    encoder.encode(chars.flip(), text, true);
    encoder.reset();
    if (result.isError()) {
      bytes.position(bytes.position() + result.length());
      text.put(INVALID);
    }
    text.flip();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
