package dev.quiver.formats.value;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The text with which a file begins whose format nothing states.
public final class TextStart {

  private TextStart() {}

  /// Returns the text without its mark, or null if the bytes are neither UTF-8 nor text after a
  /// mark, or have a NUL, which only binary files have.
  ///
  /// @param start the first bytes, which may end within a character
  /// @param isWhole whether that is all of the file
  public static @Nullable String of(byte[] start, boolean isWhole) {
    ByteOrderMark mark = ByteOrderMark.of(start);
    Charset charset = mark == null ? StandardCharsets.UTF_8 : mark.charset();
    int offset = mark == null ? 0 : mark.byteSize();
    CharsetDecoder decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer bytes = ByteBuffer.wrap(start, offset, start.length - offset);
    CharBuffer characters = CharBuffer.allocate(bytes.remaining());
    if (decoder.decode(bytes, characters, isWhole).isError()) {
      return null;
    }
    String text = characters.flip().toString();
    return text.indexOf('\0') < 0 ? text : null;
  }
}
