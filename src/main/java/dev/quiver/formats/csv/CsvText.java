package dev.quiver.formats.csv;

import dev.quiver.formats.FileContents;
import dev.quiver.formats.ForeignDataException;
import dev.quiver.formats.value.TextPosition;
import dev.quiver.formats.value.TranscodedText;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.charset.StandardCharsets;

/// The text of a file as UTF-8 without a byte order mark, from its start, each time.
///
/// @param contents the bytes of the file
/// @param encoding one of the options' encodings
record CsvText(FileContents contents, String encoding) {

  private static final int MARK_BYTE_SIZE = 3;

  /// Opens the text. Bytes that are not of the encoding are not UTF-8 there either.
  ///
  /// @throws ForeignDataException if it is UTF-16 of big-endian order
  InputStream open() throws IOException {
    PushbackInputStream file = new PushbackInputStream(contents.open(), MARK_BYTE_SIZE);
    try {
      byte[] start = file.readNBytes(MARK_BYTE_SIZE);
      file.unread(start, markByteSize(start), start.length - markByteSize(start));
      return switch (encoding) {
        case "utf-16" -> new TranscodedText(file, StandardCharsets.UTF_16LE);
        case "latin-1" -> new TranscodedText(file, StandardCharsets.ISO_8859_1);
        default -> file;
      };
    } catch (IOException | RuntimeException | Error e) {
      try (file) {
        throw e;
      }
    }
  }

  private int markByteSize(byte[] start) {
    if (encoding.equals("utf-16")) {
      if (startsWith(start, 0xFE, 0xFF)) {
        throw ForeignDataException.of("Expected UTF-16 of little-endian order but found the other");
      }
      return startsWith(start, 0xFF, 0xFE) ? 2 : 0;
    }
    return encoding.equals("utf-8") && startsWith(start, 0xEF, 0xBB, 0xBF) ? MARK_BYTE_SIZE : 0;
  }

  private static boolean startsWith(byte[] bytes, int... values) {
    boolean starts = bytes.length >= values.length;
    for (int i = 0; starts && i < values.length; i++) {
      starts = bytes[i] == (byte) values[i];
    }
    return starts;
  }

  /// Returns the number of the line, from 1, in which a byte of the text is.
  ///
  /// @param byteOffset within the text as [#open] returns it
  long line(long byteOffset) throws IOException {
    try (InputStream text = open()) {
      return TextPosition.of(text, byteOffset).line();
    }
  }
}
