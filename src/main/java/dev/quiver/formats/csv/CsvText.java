package dev.quiver.formats.csv;

import dev.quiver.arrow.validate.kernel.Kernels;
import dev.quiver.formats.FileContents;
import dev.quiver.formats.value.ByteOrderMark;
import dev.quiver.formats.value.TextEncoding;
import dev.quiver.formats.value.TextPosition;
import dev.quiver.formats.value.TranscodedText;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The text of a file as UTF-8 without a byte order mark, from its start, each time.
///
/// @param contents the bytes of the file
/// @param encoding of the bytes
/// @param markByteSize the bytes of the mark
/// @param start the bytes of the text before the first one that is read
record CsvText(FileContents contents, TextEncoding encoding, int markByteSize, long start) {

  private static final int PIECE_BYTE_SIZE = 64 << 10;
  private static final int PADDING_BYTE_SIZE = Kernels.PADDING_BYTE_SIZE;
  private static final int CHARACTER_BYTE_SIZE_MAXIMUM = 4;

  /// The bytes by which UTF-16 is told without a mark.
  private static final int WIDE_BYTE_SIZE = 64 << 10;

  /// Returns the text of a file: in the encoding that its mark tells, or in the stated one, or in
  /// UTF-16 or UTF-8 if all bytes are, and otherwise in the expected one, or windows-1252.
  ///
  /// @param expected null if unknown
  /// @param isStated whether the client states what is expected
  static CsvText of(FileContents contents, @Nullable TextEncoding expected, boolean isStated)
      throws IOException {
    ByteOrderMark mark;
    try (InputStream file = contents.open()) {
      mark = ByteOrderMark.of(file.readNBytes(ByteOrderMark.BYTE_SIZE_MAXIMUM));
    }
    if (mark != null) {
      return new CsvText(contents, TextEncoding.of(mark), mark.byteSize(), /* start= */ 0);
    }
    TextEncoding encoding = expected != null && isStated ? expected : encoding(contents, expected);
    return new CsvText(contents, encoding, /* markByteSize= */ 0, /* start= */ 0);
  }

  private static TextEncoding encoding(FileContents contents, @Nullable TextEncoding expected)
      throws IOException {
    TextEncoding wide = wideEncoding(contents);
    if (wide != null) {
      return wide;
    }
    if (expected != null) {
      return isUtf8(contents, /* isExpected= */ false) ? TextEncoding.UTF_8 : expected;
    }
    return isUtf8(contents, /* isExpected= */ true)
        ? TextEncoding.UTF_8
        : TextEncoding.WINDOWS_1252;
  }

  /// Returns UTF-16 of one order or the other if a file begins with a line of it whose characters
  /// all have a byte of 0, and has no character of two such bytes behind it. No text of another
  /// encoding has these. Null if it does not.
  private static @Nullable TextEncoding wideEncoding(FileContents contents) throws IOException {
    byte[] start;
    try (InputStream file = contents.open()) {
      start = file.readNBytes(WIDE_BYTE_SIZE);
    }
    return isWide(start, /* high= */ 1)
        ? TextEncoding.UTF_16LE
        : isWide(start, /* high= */ 0) ? TextEncoding.UTF_16BE : null;
  }

  /// @param high the place of the higher byte in a pair
  private static boolean isWide(byte[] start, int high) {
    int lineCount = 0;
    for (int i = 0; i + 1 < start.length; i += 2) {
      byte higher = start[i + high];
      byte lower = start[i + 1 - high];
      if (higher == 0 && lower == 0 || lineCount == 0 && (higher != 0 || lower == 0)) {
        return false;
      }
      lineCount += higher == 0 && (lower == '\n' || lower == '\r') ? 1 : 0;
    }
    return lineCount > 0;
  }

  /// Returns whether a file is UTF-8, or was up to a byte behind other characters than those of
  /// ASCII: such a file is damaged, rather than of another encoding. The last character may be
  /// incomplete, since not all of the file needs to be there.
  ///
  /// @param isExpected whether ASCII alone, and a damaged file, are taken for UTF-8
  private static boolean isUtf8(FileContents contents, boolean isExpected) throws IOException {
    Kernels kernels = Kernels.chosen();
    byte[] bytes = new byte[PIECE_BYTE_SIZE + 2 * PADDING_BYTE_SIZE];
    int kept = 0;
    int first = PADDING_BYTE_SIZE;
    try (InputStream file = contents.open()) {
      while (true) {
        int wanted = PIECE_BYTE_SIZE - kept;
        int count = file.readNBytes(bytes, first + kept, wanted);
        int limit = first + kept + count;
        int end = wholeCharacters(bytes, first, limit);
        byte[] rest = Arrays.copyOfRange(bytes, end, limit);
        Arrays.fill(bytes, end, end + PADDING_BYTE_SIZE, (byte) 0);
        if (!kernels.isAscii(bytes, first, end)) {
          // Behind characters of UTF-8, what is not is damaged.
          return kernels.isUtf8(bytes, first, end)
              || isExpected && beginsWithCharacter(bytes, first);
        }
        if (count < wanted) {
          return isExpected;
        }
        System.arraycopy(rest, 0, bytes, first, rest.length);
        kept = rest.length;
      }
    }
  }

  /// Returns whether the first byte that is not ASCII begins a character of UTF-8.
  private static boolean beginsWithCharacter(byte[] bytes, int first) {
    int start = first;
    while (bytes[start] >= 0) {
      start++;
    }
    int byteSize = byteSize(bytes[start]);
    for (int i = start + 1; i < start + byteSize; i++) {
      if ((bytes[i] & 0xC0) != 0x80) {
        return false;
      }
    }
    return byteSize > 1;
  }

  /// Returns the bytes of the character that a byte begins, or 1 if it begins none.
  private static int byteSize(byte lead) {
    int bits = lead & 0xFF;
    return bits >= 0xC2 && bits < 0xE0
        ? 2
        : bits >= 0xE0 && bits < 0xF0 ? 3 : bits >= 0xF0 && bits < 0xF5 ? 4 : 1;
  }

  /// Returns the end of the whole characters, before one that goes on behind the limit.
  private static int wholeCharacters(byte[] bytes, int first, int limit) {
    int start = limit - 1;
    while (start > Math.max(first, limit - CHARACTER_BYTE_SIZE_MAXIMUM)
        && (bytes[start] & 0xC0) == 0x80) {
      start--;
    }
    return start >= first && start + byteSize(bytes[start]) > limit ? start : limit;
  }

  /// Returns the same text of other contents.
  CsvText of(FileContents others) {
    return new CsvText(others, encoding, markByteSize, start);
  }

  /// Returns the text without its first bytes.
  CsvText from(long byteOffset) {
    return new CsvText(contents, encoding, markByteSize, start + byteOffset);
  }

  /// Opens the text. Bytes that are not of the encoding are not UTF-8 there either.
  InputStream open() throws IOException {
    InputStream text = openWhole();
    try {
      text.skipNBytes(start);
      return text;
    } catch (IOException | RuntimeException | Error e) {
      try (text) {
        throw e;
      }
    }
  }

  private InputStream openWhole() throws IOException {
    InputStream file = contents.open();
    try {
      file.skipNBytes(markByteSize);
      return encoding.isUtf8() ? file : new TranscodedText(file, encoding);
    } catch (IOException | RuntimeException | Error e) {
      try (file) {
        throw e;
      }
    }
  }

  /// Returns the number of the line, from 1, in which a byte of the text is.
  ///
  /// @param byteOffset within the text as [#open] returns it
  long line(long byteOffset) throws IOException {
    return lines(List.of(byteOffset)).getFirst();
  }

  /// Returns the numbers of the lines, from 1, in which some bytes of the text are.
  ///
  /// @param byteOffsets in ascending order, within the text as [#open] returns it
  List<Long> lines(List<Long> byteOffsets) throws IOException {
    try (InputStream text = openWhole()) {
      return TextPosition.lines(text, byteOffsets.stream().map(offset -> start + offset).toList());
    }
  }
}
