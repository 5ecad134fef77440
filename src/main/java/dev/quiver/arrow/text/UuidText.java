package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;

/// UUIDs as text: RFC 9562 §4, in lower case.
///
/// ```text
/// Uuid → 8 digits '-' 4 digits '-' 4 digits '-' 4 digits '-' 12 digits
/// ```
final class UuidText {

  private static final int TEXT_BYTE_SIZE = 36;
  private static final long DASH = '-';

  /// The two hexadecimal digits of each byte, the first in the lower byte.
  private static final short[] PAIRS = pairs();

  private UuidText() {}

  private static short[] pairs() {
    byte[] digits = TextOutput.ascii("0123456789abcdef");
    short[] pairs = new short[1 << Byte.SIZE];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = (short) (digits[i >>> 4] | digits[i & 15] << Byte.SIZE);
    }
    return pairs;
  }

  /// Returns a writer of the UUIDs of an array, which are never cut.
  static SlotWriter of(PreparedText quote, ArrayData array) {
    SlotBytes values = SlotBytes.of(array, Long.MAX_VALUE);
    return (slot, output) -> {
      values.seek(slot);
      byte[] bytes = values.bytes();
      int start = values.start();
      output.put(quote);
      output.ensure(TEXT_BYTE_SIZE + Long.BYTES);
      output.word(eightDigits(bytes, start), 8);
      output.word(DASH | fourDigits(bytes, start + 4) << 8, 5);
      output.word(DASH | fourDigits(bytes, start + 6) << 8, 5);
      output.word(DASH | fourDigits(bytes, start + 8) << 8, 5);
      output.word(DASH, 1);
      output.word(eightDigits(bytes, start + 10), 8);
      output.word(fourDigits(bytes, start + 14), 4);
      output.put(quote);
    };
  }

  private static long eightDigits(byte[] bytes, int at) {
    return fourDigits(bytes, at) | fourDigits(bytes, at + 2) << 32;
  }

  private static long fourDigits(byte[] bytes, int at) {
    return PAIRS[bytes[at] & 0xFF] | (long) PAIRS[bytes[at + 1] & 0xFF] << 16;
  }
}
