package dev.quiver.arrow.codec;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256, also of short texts as UTF-8.
public final class Sha256 {

  private Sha256() {}

  /// Returns a digest of no bytes yet.
  public static MessageDigest begin() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("Every Java platform has SHA-256", e);
    }
  }

  /// Returns the 32 bytes of the digest.
  public static byte[] digest(String text) {
    return begin().digest(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Returns the digest as 64 hexadecimal digits.
  public static String hex(String text) {
    return HexFormat.of().formatHex(digest(text));
  }
}
