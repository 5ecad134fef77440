package dev.quiver.store.version;

import java.security.SecureRandom;
import java.time.Instant;

/// Identifiers of 26 characters from `0-9 a-z` without `i l o u`. The first 48 of their 128 bits
/// are the milliseconds since 1970, so that identifiers sort by time. The other bits are random.
public final class Ulid {

  private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
  private static final int LENGTH = 26;

  /// The digits of the first 48 bits; the first digit holds three of them.
  private static final int TIME_LENGTH = 10;

  private static final SecureRandom RANDOM = new SecureRandom();

  private Ulid() {}

  public static String next() {
    return next(Instant.now());
  }

  public static String next(Instant now) {
    return encode(now.toEpochMilli() << 16 | RANDOM.nextInt(1 << 16), RANDOM.nextLong());
  }

  /// Returns when the identifier at the start of `text` was created, to the millisecond, by its
  /// creator's clock.
  ///
  /// @throws IllegalArgumentException if `text` does not start with an identifier
  public static Instant time(String text) {
    if (text.length() < LENGTH) {
      throw notAnId(text);
    }
    long milliseconds = 0;
    for (int i = 0; i < LENGTH; i++) {
      int digit = DIGITS.indexOf(text.charAt(i));
      if (digit < 0 || i == 0 && digit > 7) {
        throw notAnId(text);
      }
      milliseconds = i < TIME_LENGTH ? milliseconds << 5 | digit : milliseconds;
    }
    return Instant.ofEpochMilli(milliseconds);
  }

  private static IllegalArgumentException notAnId(String text) {
    return new IllegalArgumentException("Expected an identifier but found \"" + text + "\"");
  }

  /// Encodes 128 bits, most significant first, five per digit; the first digit holds only three.
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
