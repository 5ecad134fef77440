package dev.quiver.storage.s3;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Names of local files.
final class Names {

  private Names() {}

  /// Of a file that holds these bytes and no others: a key that is used again gets another.
  static String of(String key, Identity identity) {
    return hash(key + "\n" + identity.entityTag() + "\n" + identity.byteSize());
  }

  static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
