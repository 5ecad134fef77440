package dev.quiver.arrow.validate.kernel;

import dev.quiver.arrow.memory.ByteWords;
import dev.quiver.arrow.memory.LittleEndian;
import java.lang.foreign.MemorySegment;

/// A UTF-8 check that finds the first invalid byte, by the table of well-formed byte sequences in
/// the Unicode standard. [Kernels] check whole ranges in less time.
public final class Utf8Search {

  /// The result of [#firstInvalid] for valid text.
  public static final long VALID = -1;

  static final int CHARACTER_BYTE_SIZE_MAXIMUM = 4;

  /// The bits that are set in the non-ASCII bytes of a word.
  public static final long NON_ASCII_BITS = ByteWords.HIGHEST_BITS;

  /// The exclusive upper bound of continuation bytes, taken as signed.
  static final byte CONTINUATION_END = (byte) 0xC0;

  private static final int UNROLLED_BYTE_SIZE = 4 * Long.BYTES;

  private Utf8Search() {}

  /// Returns the first byte between `start` and `end` outside of any character, or [#VALID].
  public static long firstInvalid(MemorySegment segment, long start, long end) {
    long position = skipAscii(segment, start, end);
    while (position < end) {
      int byteSize = characterByteSize(segment, position, end);
      if (byteSize == 0) {
        return position;
      }
      position += byteSize;
      if (position < end && LittleEndian.getInt8(segment, position) >= 0) {
        position = skipAscii(segment, position, end);
      }
    }
    return VALID;
  }

  /// Returns the first non-ASCII byte from `start` on, or `end`.
  static long skipAscii(MemorySegment segment, long start, long end) {
    long position = start;
    while (position <= end - UNROLLED_BYTE_SIZE
        && ((LittleEndian.getInt64(segment, position)
                    | LittleEndian.getInt64(segment, position + 8)
                    | LittleEndian.getInt64(segment, position + 16)
                    | LittleEndian.getInt64(segment, position + 24))
                & NON_ASCII_BITS)
            == 0) {
      position += UNROLLED_BYTE_SIZE;
    }
    while (position <= end - Long.BYTES) {
      long nonAscii = LittleEndian.getInt64(segment, position) & NON_ASCII_BITS;
      if (nonAscii != 0) {
        return position + (Long.numberOfTrailingZeros(nonAscii) >>> 3);
      }
      position += Long.BYTES;
    }
    while (position < end && LittleEndian.getInt8(segment, position) >= 0) {
      position++;
    }
    return position;
  }

  /// Returns whether the byte cannot start a character.
  public static boolean isContinuation(MemorySegment segment, long position) {
    return isContinuation(LittleEndian.getInt8(segment, position));
  }

  public static int unsigned(MemorySegment segment, long position) {
    return LittleEndian.getInt8(segment, position) & 0xFF;
  }

  /// Returns the size of the character at `position` in bytes, or 0 if no character ends before
  /// `end`.
  static int characterByteSize(MemorySegment segment, long position, long end) {
    int lead = LittleEndian.getInt8(segment, position) & 0xFF;
    long rest = end - position;
    if (lead < 0x80) {
      return 1;
    }
    if (lead < 0xC2 || lead > 0xF4 || rest < 2) {
      return 0;
    }
    byte second = LittleEndian.getInt8(segment, position + 1);
    if (!isContinuation(second)) {
      return 0;
    }
    if (lead < 0xE0) {
      return 2;
    }
    if (rest < 3 || !isContinuation(LittleEndian.getInt8(segment, position + 2))) {
      return 0;
    }
    int secondBits = second & 0xFF;
    if (lead < 0xF0) {
      boolean overlong = lead == 0xE0 && secondBits < 0xA0;
      boolean surrogate = lead == 0xED && secondBits >= 0xA0;
      return overlong || surrogate ? 0 : 3;
    }
    if (rest < 4 || !isContinuation(LittleEndian.getInt8(segment, position + 3))) {
      return 0;
    }
    boolean overlong = lead == 0xF0 && secondBits < 0x90;
    boolean beyondUnicode = lead == 0xF4 && secondBits >= 0x90;
    return overlong || beyondUnicode ? 0 : 4;
  }

  public static boolean isContinuation(byte value) {
    return value < CONTINUATION_END;
  }
}
