package dev.quiver.formats.json;

import dev.quiver.arrow.validate.kernel.Kernels;
import dev.quiver.formats.ForeignDataException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Some whole records of a file. Used by one thread at a time.
final class JsonBlock {

  /// The bytes before and after the text, which vectors may read, and brackets may take.
  static final int FIRST = Kernels.PADDING_BYTE_SIZE;

  private static final int BYTE_SIZE_KEPT = 4 << 20;

  byte[] text = {};

  /// The offset after the last byte of the records, which begin at [#FIRST].
  int end = FIRST;

  /// The offset of the first byte within the text of the file.
  long byteOffset;

  /// Whether commas are between the records.
  boolean isArray;

  /// The reason why the records end as they should not, or null. What is wrong with the records
  /// themselves comes before it.
  @Nullable ForeignDataException failure;

  /// Gives the memory of a large record back.
  void release() {
    if (text.length > BYTE_SIZE_KEPT) {
      text = new byte[0];
    }
  }

  /// Returns whether the records take more memory than those of other blocks.
  boolean isLarge() {
    return text.length > BYTE_SIZE_KEPT;
  }

  /// Makes room for text up to an offset, and for the padding after it.
  void reserve(int limit) {
    int needed = limit + FIRST;
    if (text.length < needed) {
      text = Arrays.copyOf(text, text.length == 0 ? needed : Math.max(needed, 2 * text.length));
    }
  }

  /// Puts the records of an array between brackets, as a parser wants them, or spaces otherwise.
  void enclose() {
    text[FIRST - 1] = (byte) (isArray ? '[' : ' ');
    text[end] = (byte) (isArray ? ']' : ' ');
  }

  /// Returns the offset of the first byte that is not UTF-8, or -1 if all are.
  int firstInvalid() {
    Kernels kernels = Kernels.chosen();
    byte before = text[FIRST - 1];
    byte after = text[end];
    text[FIRST - 1] = 0;
    text[end] = 0;
    boolean valid = kernels.isAscii(text, FIRST, end) || kernels.isUtf8(text, FIRST, end);
    text[FIRST - 1] = before;
    text[end] = after;
    if (valid) {
      return -1;
    }
    ByteBuffer bytes = ByteBuffer.wrap(text, FIRST, end - FIRST);
    CharBuffer chars = CharBuffer.allocate(end - FIRST);
    CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(bytes, chars, true);
    return result.isError() ? bytes.position() : -1;
  }

  /// Returns the offset of a byte within the text of the file.
  long byteOffset(int offset) {
    return byteOffset + offset - FIRST;
  }
}
