package dev.quiver.server.http;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The `Repr-Digest` header of a response, over the whole representation: RFC 9530 §3. A CRC-32C
/// detects accidents, not attacks.
public final class ReprDigest {

  public static final String NAME = "Repr-Digest";
  public static final String CRC32C = "crc32c";
  public static final String SHA_256 = "sha-256";

  private ReprDigest() {}

  /// Returns the value for the known digests, or null if none is.
  ///
  /// @param crc32c the checksum, whose bytes are sent in network order
  public static @Nullable String of(@Nullable Integer crc32c, byte @Nullable [] sha256) {
    List<String> members = new ArrayList<>();
    if (crc32c != null) {
      members.add(member(CRC32C, ByteBuffer.allocate(Integer.BYTES).putInt(crc32c).array()));
    }
    if (sha256 != null) {
      members.add(member(SHA_256, sha256));
    }
    return members.isEmpty() ? null : String.join(", ", members);
  }

  private static String member(String algorithm, byte[] digest) {
    return algorithm + "=:" + Base64.getEncoder().encodeToString(digest) + ":";
  }
}
