package dev.quiver.formats.json;

import dev.quiver.formats.FileContents;
import dev.quiver.formats.value.ByteOrderMark;
import dev.quiver.formats.value.TextPosition;
import dev.quiver.formats.value.TranscodedText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;

/// The text of a file as UTF-8 without a byte order mark, from its start, each time. The mark of
/// UTF-16 or UTF-32 decides on the encoding; without one it is UTF-8 (RFC 8259, section 8.1).
///
/// @param contents the bytes of the file
record JsonContent(FileContents contents) {

  /// Opens the text. Bytes that are not of the encoding are not UTF-8 there either.
  InputStream open() throws IOException {
    PushbackInputStream file =
        new PushbackInputStream(contents.open(), ByteOrderMark.BYTE_SIZE_MAXIMUM);
    try {
      byte[] start = file.readNBytes(ByteOrderMark.BYTE_SIZE_MAXIMUM);
      ByteOrderMark mark = ByteOrderMark.of(start);
      int skipped = mark == null ? 0 : mark.byteSize();
      file.unread(start, skipped, start.length - skipped);
      return mark == null || mark.charset().equals(StandardCharsets.UTF_8)
          ? file
          : new TranscodedText(file, mark.charset());
    } catch (IOException | RuntimeException | Error e) {
      try (file) {
        throw e;
      }
    }
  }

  /// Returns the place of a byte of the text.
  ///
  /// @param byteOffset within the text as [#open] returns it
  TextPosition position(long byteOffset) throws IOException {
    try (InputStream text = open()) {
      return TextPosition.of(text, byteOffset);
    }
  }
}
