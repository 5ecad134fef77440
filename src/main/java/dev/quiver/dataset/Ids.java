package dev.quiver.dataset;

import java.security.SecureRandom;

/// Identifiers of 26 characters out of `0-9 a-z` without `i l o u`: 128 bits, of which the first 48
/// are the milliseconds since 1970, so that they sort by time, and the others random.
final class Ids {

  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int LENGTH = 26;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Ids() {}

  static String next() {
    return encode(System.currentTimeMillis() << 16 | RANDOM.nextInt(1 << 16), RANDOM.nextLong());
  }

  /// 128 bits, most significant first, five at a time; the first digit has but three.
  static String encode(long high, long low) {
    char[] digits = new char[LENGTH];
    for (int i = LENGTH - 1; i >= 0; i--) {
      digits[i] = DIGITS.charAt((int) (low & 31));
      low = low >>> 5 | high << 59;
      high >>>= 5;
    }
    return new String(digits);
  }
}
