package dev.quiver.arrow.statistics;

import static dev.quiver.arrow.statistics.ColumnStatistics.Bound.BYTE_SIZE_MAXIMUM;

import dev.quiver.arrow.memory.BlockMemory;
import dev.quiver.arrow.memory.ByteString;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.statistics.ColumnStatistics.Bound;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The first bytes of a text or binary value, as four words whose first byte is highest. Bytes past
/// the end are zero; if all words are equal, the shorter value is less.
final class BinaryPrefix {

  static final int WORD_COUNT = BYTE_SIZE_MAXIMUM / Long.BYTES;

  private static final int FIRST_SURROGATE = Character.MIN_SURROGATE;

  private long first;
  private long second;
  private long third;
  private long fourth;

  /// The length of the value, at most one more than the words hold.
  private int length;

  private BinaryPrefix(long word, int length) {
    this.first = word;
    this.second = word;
    this.third = word;
    this.fourth = word;
    this.length = length;
  }

  /// Returns a prefix that is greater than any value's.
  static BinaryPrefix greatest() {
    return new BinaryPrefix(-1L, BYTE_SIZE_MAXIMUM + 2);
  }

  /// Returns a prefix that is less than any value's.
  static BinaryPrefix least() {
    return new BinaryPrefix(0, -1);
  }

  long word(int index) {
    return switch (index) {
      case 0 -> first;
      case 1 -> second;
      case 2 -> third;
      default -> fourth;
    };
  }

  /// Returns the length of the value, at most one more than the words hold.
  int length() {
    return length;
  }

  /// Takes a value if it is less.
  ///
  /// @param bytes an array with at least 32 bytes from `start` on
  void lower(byte[] bytes, int start, long byteSize) {
    if (compare(bytes, start, clamped(byteSize)) < 0) {
      set(bytes, start, clamped(byteSize));
    }
  }

  /// Takes a value if it is greater.
  ///
  /// @param bytes an array with at least 32 bytes from `start` on
  void raise(byte[] bytes, int start, long byteSize) {
    if (compare(bytes, start, clamped(byteSize)) > 0) {
      set(bytes, start, clamped(byteSize));
    }
  }

  /// Compares a value with this.
  private int compare(byte[] bytes, int start, int byteSize) {
    int order = Long.compareUnsigned(BlockMemory.bigEndianWord(bytes, start, byteSize), first);
    if (order == 0) {
      order =
          Long.compareUnsigned(BlockMemory.bigEndianWord(bytes, start + 8, byteSize - 8), second);
    }
    if (order == 0) {
      order =
          Long.compareUnsigned(BlockMemory.bigEndianWord(bytes, start + 16, byteSize - 16), third);
    }
    if (order == 0) {
      order =
          Long.compareUnsigned(BlockMemory.bigEndianWord(bytes, start + 24, byteSize - 24), fourth);
    }
    return order == 0 ? Integer.compare(byteSize, length) : order;
  }

  private void set(byte[] bytes, int start, int byteSize) {
    first = BlockMemory.bigEndianWord(bytes, start, byteSize);
    second = BlockMemory.bigEndianWord(bytes, start + 8, byteSize - 8);
    third = BlockMemory.bigEndianWord(bytes, start + 16, byteSize - 16);
    fourth = BlockMemory.bigEndianWord(bytes, start + 24, byteSize - 24);
    length = byteSize;
  }

  private static int clamped(long byteSize) {
    return (int) Math.min(byteSize, BYTE_SIZE_MAXIMUM + 1);
  }

  /// Returns the value, or its start if it is longer than a bound.
  ///
  /// @param isText whether the bound consists of whole characters
  Bound roundedDown(boolean isText) {
    boolean exact = length <= BYTE_SIZE_MAXIMUM;
    byte[] bytes = bytes();
    int end = isText && !exact ? lastCharacterEnd(bytes) : bytes.length;
    return new Bound(ByteString.of(Arrays.copyOf(bytes, end)), exact);
  }

  /// Returns the value, or if it is longer than a bound, a short one that is greater than every
  /// value with the same start.
  ///
  /// @param isText whether the bound consists of whole characters
  /// @return the bound, or null if no short value is greater
  @Nullable Bound roundedUp(boolean isText) {
    byte[] bytes = bytes();
    if (length <= BYTE_SIZE_MAXIMUM) {
      return new Bound(ByteString.of(bytes), true);
    }
    byte[] greater = isText ? greaterText(bytes) : greaterBytes(bytes);
    return greater == null ? null : new Bound(ByteString.of(greater), false);
  }

  private byte[] bytes() {
    byte[] bytes = new byte[BYTE_SIZE_MAXIMUM];
    LittleEndian.setInt64(bytes, 0, Long.reverseBytes(first));
    LittleEndian.setInt64(bytes, 8, Long.reverseBytes(second));
    LittleEndian.setInt64(bytes, 16, Long.reverseBytes(third));
    LittleEndian.setInt64(bytes, 24, Long.reverseBytes(fourth));
    return Arrays.copyOf(bytes, Math.min(length, BYTE_SIZE_MAXIMUM));
  }

  private static byte @Nullable [] greaterBytes(byte[] bytes) {
    int last = bytes.length - 1;
    while (last >= 0 && bytes[last] == -1) {
      last--;
    }
    if (last < 0) {
      return null;
    }
    byte[] greater = Arrays.copyOf(bytes, last + 1);
    greater[last]++;
    return greater;
  }

  /// Returns the start of a text with its last character replaced by the next one, in the order of
  /// code points and so of bytes. A character without a next one that fits is dropped.
  private static byte @Nullable [] greaterText(byte[] bytes) {
    int end = lastCharacterEnd(bytes);
    while (end > 0) {
      int start = characterStart(bytes, end - 1);
      byte[] next = next(bytes, start, end);
      if (next != null && start + next.length <= BYTE_SIZE_MAXIMUM) {
        byte[] greater = Arrays.copyOf(bytes, start + next.length);
        System.arraycopy(next, 0, greater, start, next.length);
        return greater;
      }
      end = start;
    }
    return null;
  }

  private static byte @Nullable [] next(byte[] bytes, int start, int end) {
    int character = ByteString.of(Arrays.copyOfRange(bytes, start, end)).toString().codePointAt(0);
    int next = character + 1 == FIRST_SURROGATE ? Character.MAX_SURROGATE + 1 : character + 1;
    return next > Character.MAX_CODE_POINT
        ? null
        : ByteString.of(Character.toString(next)).toByteArray();
  }

  /// Returns the end of the last whole character of the start of a text.
  private static int lastCharacterEnd(byte[] bytes) {
    int start = characterStart(bytes, bytes.length - 1);
    int lead = bytes[start] & 0xFF;
    int byteSize = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    return start + byteSize <= bytes.length ? bytes.length : start;
  }

  private static int characterStart(byte[] bytes, int position) {
    int start = position;
    while (start > 0 && (bytes[start] & 0xC0) == 0x80) {
      start--;
    }
    return start;
  }
}
