package dev.quiver.server.transfer;

import dev.quiver.server.http.CodingPolicy;
import dev.quiver.server.http.EntityTag;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One representation of a resource: its header, and the source of its body.
///
/// @param lastModified when the version was committed
/// @param immutable whether the URL names a version, so that a cache may keep it
/// @param expiresAt when the version ends, after which no cache may serve this; null if it has no
///   end
/// @param codings the policy on content codings
/// @param headers further headers of a 200 or 206, such as `Arrow-Row-Count`
/// @param checksum the checksum of bytes that are sent as stored, or null for others
/// @param body the source of the body; only opening it may take work
public record Representation(
    String contentType,
    EntityTag etag,
    Instant lastModified,
    boolean immutable,
    @Nullable Instant expiresAt,
    CodingPolicy codings,
    Map<String, String> headers,
    @Nullable StoredChecksum checksum,
    BodySource body) {

  /// A representation that is never content-coded.
  public Representation(
      String contentType,
      EntityTag etag,
      Instant lastModified,
      boolean immutable,
      Map<String, String> headers,
      BodySource body) {
    this(contentType, etag, lastModified, immutable, null, CodingPolicy.NEVER, headers, null, body);
  }

  /// Returns this representation of a version with an end.
  ///
  /// @param end null for none
  public Representation expiringAt(@Nullable Instant end) {
    return new Representation(
        contentType, etag, lastModified, immutable, end, codings, headers, checksum, body);
  }

  /// Returns this representation as `type`, content-coded as `policy` says.
  public Representation with(String type, CodingPolicy policy) {
    return new Representation(
        type, etag, lastModified, immutable, expiresAt, policy, headers, checksum, body);
  }

  /// Returns this representation with another source of the same body.
  public Representation with(BodySource source) {
    return new Representation(
        contentType, etag, lastModified, immutable, expiresAt, codings, headers, null, source);
  }

  /// Returns this representation, whose bytes are sent as stored.
  public Representation with(StoredChecksum stored) {
    return new Representation(
        contentType, etag, lastModified, immutable, expiresAt, codings, headers, stored, body);
  }

  /// Returns this representation with the content codings of text.
  public Representation asText() {
    return with(contentType, CodingPolicy.TEXT);
  }

  /// Returns this representation for a resource that depends on more than the version, so that
  /// caches revalidate it.
  public Representation revalidated() {
    return new Representation(
        contentType, etag, lastModified, false, expiresAt, codings, headers, checksum, body);
  }

  /// Returns this representation without a header.
  public Representation without(String header) {
    Map<String, String> others = new LinkedHashMap<>(headers);
    others.remove(header);
    return new Representation(
        contentType, etag, lastModified, immutable, expiresAt, codings, others, checksum, body);
  }
}
