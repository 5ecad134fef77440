package dev.quiver.formats.json;

import dev.quiver.formats.FileContents;
import dev.quiver.formats.value.TextPosition;
import dev.quiver.formats.value.TranscodedText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/// The text of a file as UTF-8 without a byte order mark, from its start, each time. The mark of
/// UTF-16 or UTF-32 decides on the encoding; without one it is UTF-8 (RFC 8259, section 8.1).
///
/// @param contents the bytes of the file
record JsonContent(FileContents contents) {

  /// The marks, the longer before those that they begin with.
  private static final List<Mark> MARKS =
      List.of(
          new Mark("0000FEFF", "UTF-32BE"),
          new Mark("FFFE0000", "UTF-32LE"),
          new Mark("EFBBBF", "UTF-8"),
          new Mark("FEFF", "UTF-16BE"),
          new Mark("FFFE", "UTF-16LE"));

  private static final int MARK_BYTE_SIZE_MAXIMUM = 4;

  private record Mark(byte[] bytes, Charset charset) {

    Mark(String hex, String charset) {
      this(HexFormat.of().parseHex(hex), Charset.forName(charset));
    }

    boolean begins(byte[] start) {
      boolean begins = start.length >= bytes.length;
      for (int i = 0; begins && i < bytes.length; i++) {
        begins = start[i] == bytes[i];
      }
      return begins;
    }
  }

  /// Opens the text. Bytes that are not of the encoding are not UTF-8 there either.
  InputStream open() throws IOException {
    PushbackInputStream file = new PushbackInputStream(contents.open(), MARK_BYTE_SIZE_MAXIMUM);
    try {
      byte[] start = file.readNBytes(MARK_BYTE_SIZE_MAXIMUM);
      for (Mark mark : MARKS) {
        if (mark.begins(start)) {
          file.unread(start, mark.bytes().length, start.length - mark.bytes().length);
          return mark.charset().equals(StandardCharsets.UTF_8)
              ? file
              : new TranscodedText(file, mark.charset());
        }
      }
      file.unread(start);
      return file;
    } catch (IOException | RuntimeException | Error e) {
      try (file) {
        throw e;
      }
    }
  }

  /// Returns whether the first bytes of a file have the mark of any encoding.
  static boolean isMarked(byte[] start) {
    return MARKS.stream().anyMatch(mark -> mark.begins(start));
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
