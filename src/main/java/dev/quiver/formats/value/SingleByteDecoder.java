package dev.quiver.formats.value;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/// A decoder of an encoding that the JDK lacks, in which each byte is a character: ASCII, and 128
/// others.
final class SingleByteDecoder extends CharsetDecoder {

  private static final char UNDEFINED = '\0';

  private final String upperHalf;

  /// @param upperHalf the characters of the bytes from 128 on. One that is U+0000 is undefined
  SingleByteDecoder(String upperHalf) {
    super(StandardCharsets.ISO_8859_1, 1, 1);
    this.upperHalf = upperHalf;
  }

  @Override
  protected CoderResult decodeLoop(ByteBuffer bytes, CharBuffer chars) {
    while (bytes.hasRemaining()) {
      if (!chars.hasRemaining()) {
        return CoderResult.OVERFLOW;
      }
      byte next = bytes.get(bytes.position());
      char character = next >= 0 ? (char) next : upperHalf.charAt(next & 0x7F);
      if (next < 0 && character == UNDEFINED) {
        return CoderResult.unmappableForLength(1);
      }
      bytes.get();
      chars.put(character);
    }
    return CoderResult.UNDERFLOW;
  }
}
