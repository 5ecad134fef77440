package dev.quiver.server.transfer;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Admission.Permit;
import dev.quiver.arrow.parallel.LruCache;
import dev.quiver.server.http.ReprDigest;
import dev.quiver.server.http.WantReprDigest;
import dev.quiver.store.blob.BlobSink;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// The digests of representations that are sent as stored: the CRC-32C that the version has, and
/// SHA-256 if the client wants it. Shared by threads.
///
/// SHA-256 is the one sent with the upload. Otherwise, it is computed once for each version and
/// form, as long as it is among those used last.
final class StoredDigests {

  private static final long CACHED_DIGESTS = 10_000;

  private final Limit limit;
  private final ResponseAdmission admission;

  /// The digests by entity tag, so that a digest never becomes stale.
  private final LruCache<String, byte[]> known = new LruCache<>(CACHED_DIGESTS);

  /// @param limit the limit on the bytes of a representation beyond which SHA-256 is not computed
  StoredDigests(Limit limit, ResponseAdmission admission) {
    this.limit = limit;
    this.admission = admission;
  }

  /// Returns the value of `Repr-Digest`, or null if no digest is known.
  ///
  /// @throws dev.quiver.arrow.parallel.OverloadedException if other digests take too long
  @Nullable String header(HttpServletRequest request, Representation representation)
      throws IOException {
    StoredChecksum checksum = representation.checksum();
    if (checksum == null
        || !(representation.body() instanceof BodySource.Ready(FixedLengthBody body))) {
      return null;
    }
    WantReprDigest wanted = WantReprDigest.of(request);
    Integer crc32c = checksum.crc32c();
    byte[] sha256 = null;
    if (wanted.wants(ReprDigest.SHA_256)) {
      if (checksum.sha256() != null) {
        sha256 = HexFormat.of().parseHex(checksum.sha256());
      } else if (body.byteSize() <= limit.maximum()) {
        sha256 = sha256(representation.etag().toString(), body, crc32c);
      }
    }
    return ReprDigest.of(wanted.rejects(ReprDigest.CRC32C) ? null : crc32c, sha256);
  }

  private byte @Nullable [] sha256(String tag, FixedLengthBody body, @Nullable Integer crc32c)
      throws IOException {
    byte[] present = known.get(tag);
    if (present != null) {
      return present;
    }
    try (Permit _ = admission.acquireForDigest()) {
      // Another request may have computed it meanwhile.
      byte[] digest = known.get(tag);
      if (digest == null) {
        digest = compute(body, crc32c);
      }
      if (digest != null) {
        known.put(tag, digest);
      }
      return digest;
    }
  }

  /// Reads the body once.
  ///
  /// @return its SHA-256, or null if the bytes are damaged, for which a digest would vouch
  private static byte @Nullable [] compute(FixedLengthBody body, @Nullable Integer crc32c)
      throws IOException {
    MessageDigest digest = Sha256.begin();
    CRC32C checksum = new CRC32C();
    body.writeTo(
        BlobSink.reading(segment -> {
          digest.update(segment.asByteBuffer());
          checksum.update(segment.asByteBuffer());
        }));
    boolean intact = crc32c == null || crc32c == (int) checksum.getValue();
    return intact ? digest.digest() : null;
  }
}
