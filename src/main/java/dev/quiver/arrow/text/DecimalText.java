package dev.quiver.arrow.text;

import dev.quiver.arrow.memory.LittleEndian;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/// Decimals with all their digits.
///
/// A scale of 0 to 76, which suffices for decimals, yields a plain number such as `-1.20`. Any
/// other scale yields an exponent, such as `12E3`, since a 32-bit scale may mean too many zeros to
/// write.
final class DecimalText {

  private static final int MAXIMUM_PLAIN_SCALE = 76;

  private final int bitWidth;
  private final int scale;

  DecimalText(int bitWidth, int scale) {
    this.bitWidth = bitWidth;
    this.scale = scale;
  }

  /// Writes the decimal that starts at `byteOffset`, even one with more digits than its type
  /// allows.
  void write(MemorySegment values, long byteOffset, TextOutput output) throws IOException {
    if (bitWidth == 32) {
      write(LittleEndian.getInt32(values, byteOffset), output);
      return;
    }
    long low = LittleEndian.getInt64(values, byteOffset);
    boolean narrow = true;
    for (int i = 8; i < bitWidth >>> 3; i += 8) {
      narrow &= LittleEndian.getInt64(values, byteOffset + i) == low >> 63;
    }
    if (narrow) {
      write(low, output);
    } else {
      BigInteger unscaled = unscaled(values.asSlice(byteOffset, bitWidth >>> 3));
      if (unscaled.signum() < 0) {
        output.put('-');
      }
      digits(unscaled.abs().toString(), output);
    }
  }

  private void write(long unscaled, TextOutput output) throws IOException {
    if (scale == 0) {
      output.putInteger(unscaled);
      return;
    }
    if (unscaled < 0) {
      output.put('-');
    }
    digits(Long.toUnsignedString(Math.abs(unscaled)), output);
  }

  private void digits(String digits, TextOutput output) throws IOException {
    if (scale < 0 || scale > MAXIMUM_PLAIN_SCALE) {
      output.put(digits);
      output.put('E');
      output.putInteger(-(long) scale);
      return;
    }
    int whole = digits.length() - scale;
    output.put(whole > 0 ? digits.substring(0, whole) : "0");
    if (scale > 0) {
      output.put('.');
      for (int i = whole; i < 0; i++) {
        output.put('0');
      }
      output.put(digits.substring(Math.max(0, whole)));
    }
  }

  private static BigInteger unscaled(MemorySegment bytes) {
    byte[] bigEndian = new byte[(int) bytes.byteSize()];
    for (int i = 0; i < bigEndian.length; i++) {
      bigEndian[i] = LittleEndian.getInt8(bytes, bigEndian.length - 1L - i);
    }
    return new BigInteger(bigEndian);
  }
}
