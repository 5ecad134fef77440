package dev.quiver.server.access;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.resource.Paths;
import dev.quiver.store.access.Principal;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Links: URLs that read one dataset, or one version of it, for a while without a token.
///
/// Nothing is kept of them. A link is a text that only holders of the signing key can make:
///
/// ```
/// Link      --> base64url(Contents Signature)
/// Contents  --> End:int64 Version:int64 Subject:byte Maker:byte[32]
/// Signature --> HMAC-SHA256 of the name, a zero byte and the contents
/// ```
///
/// The end is in seconds since 1970; the version is 0 for a link that is not pinned; the subject is
/// 1 if the maker is one of an issuer, and otherwise 0; the maker is the SHA-256 of the id of the
/// principal, so that a link does not reveal its maker.
@Component
public final class Links {

  /// The blob with the key if none is configured.
  static final String KEY = "keys/links";

  private static final String PARAMETER = Paths.LINK_PARAMETER + "=";
  private static final String ALGORITHM = "HmacSHA256";
  private static final int DIGEST_BYTE_SIZE = 32;
  private static final int CONTENTS_BYTE_SIZE = 2 * Long.BYTES + 1 + DIGEST_BYTE_SIZE;

  private final String configuredKey;
  private final AccessPolicy policy;
  private final BlobStore store;
  private volatile byte @Nullable [] storedKey;

  public Links(QuiverProperties properties, AccessPolicy policy, BlobStore store) {
    this.configuredKey = properties.auth().signingKey();
    this.policy = policy;
    this.store = store;
  }

  /// Returns a link.
  ///
  /// @param maker a principal that may write the dataset
  /// @param end in whole seconds
  public String make(DatasetReference reference, Principal maker, Instant end) {
    ByteBuffer link = ByteBuffer.allocate(CONTENTS_BYTE_SIZE + DIGEST_BYTE_SIZE);
    Long version = reference.version();
    link.putLong(end.getEpochSecond())
        .putLong(version == null ? 0 : version)
        .put((byte) (maker.isSubject() ? 1 : 0))
        .put(Sha256.digest(maker.id()));
    link.put(signature(reference.name(), Arrays.copyOf(link.array(), CONTENTS_BYTE_SIZE)));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(link.array());
  }

  /// Returns whether a request has a link, valid or not.
  static boolean isIn(HttpServletRequest request) {
    String query = request.getQueryString();
    return query != null
        && Arrays.stream(query.split("&")).anyMatch(parameter -> parameter.startsWith(PARAMETER));
  }

  /// Returns the end of the link by which a request is permitted, or null if it has none for what
  /// it asks.
  @Nullable Instant end(HttpServletRequest request, Route.Found route) {
    DatasetReference reference = route.dataset();
    if (reference == null || !route.isLinkable()) {
      return null;
    }
    String query = request.getQueryString();
    for (String parameter : query == null ? new String[0] : query.split("&")) {
      // No other spelling is a link, so that this one alone has to be left out elsewhere.
      if (parameter.startsWith(PARAMETER)) {
        return end(parameter.substring(PARAMETER.length()), reference, Instant.now());
      }
    }
    return null;
  }

  /// Returns the end of a link that permits to read a version now, or null if a text is none.
  public @Nullable Instant end(String text, DatasetReference reference, Instant now) {
    byte[] link;
    try {
      link = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
    if (link.length != CONTENTS_BYTE_SIZE + DIGEST_BYTE_SIZE) {
      return null;
    }
    byte[] contents = Arrays.copyOf(link, CONTENTS_BYTE_SIZE);
    byte[] signature = Arrays.copyOfRange(link, CONTENTS_BYTE_SIZE, link.length);
    if (!MessageDigest.isEqual(signature, signature(reference.name(), contents))) {
      return null;
    }
    ByteBuffer buffer = ByteBuffer.wrap(contents);
    Instant end = Instant.ofEpochSecond(buffer.getLong());
    long version = buffer.getLong();
    boolean subject = buffer.get() == 1;
    byte[] maker = new byte[DIGEST_BYTE_SIZE];
    buffer.get(maker);
    Long requested = reference.version();
    boolean permits =
        now.isBefore(end)
            && (version == 0 || requested != null && requested == version)
            && policy.mayStillWrite(maker, subject, reference.name());
    return permits ? end : null;
  }

  private byte[] signature(DatasetName name, byte[] contents) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key(), ALGORITHM));
      mac.update(name.value().getBytes(StandardCharsets.UTF_8));
      mac.update((byte) 0);
      return mac.doFinal(contents);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[] key() {
    if (!configuredKey.isEmpty()) {
      return Sha256.digest(configuredKey);
    }
    byte[] known = storedKey;
    if (known == null) {
      try {
        known = keyInStore();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      storedKey = known;
    }
    return known;
  }

  /// Returns the key that all services of a store share, made by the first that needs it.
  private byte[] keyInStore() throws IOException {
    byte[] made = new byte[DIGEST_BYTE_SIZE];
    new SecureRandom().nextBytes(made);
    while (true) {
      try (Blob blob = store.open(KEY)) {
        if (blob.byteSize() != DIGEST_BYTE_SIZE) {
          throw new IOException(
              "Expected a key of %d bytes but found %d at %s"
                  .formatted(DIGEST_BYTE_SIZE, blob.byteSize(), KEY));
        }
        MemorySegment key = MemorySegment.ofArray(new byte[DIGEST_BYTE_SIZE]);
        blob.readFully(0, key);
        return key.toArray(ValueLayout.JAVA_BYTE);
      } catch (NoSuchBlobException e) {
        // Another service may be faster.
        store.putIfAbsent(KEY, MemorySegment.ofArray(made));
      }
    }
  }
}
