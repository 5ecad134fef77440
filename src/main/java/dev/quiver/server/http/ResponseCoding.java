package dev.quiver.server.http;

import org.jspecify.annotations.Nullable;

/// The content codings of response bodies: RFC 9110 §8.4.1, RFC 8878 §7.2, RFC 7932 §13.
public enum ResponseCoding {
  IDENTITY("identity"),
  ZSTD("zstd"),
  GZIP("gzip"),
  /// Uncompressed Brotli, for clients that reject all others.
  BROTLI("br");

  private final String token;

  ResponseCoding(String token) {
    this.token = token;
  }

  /// Returns the name in `Content-Encoding`.
  public String token() {
    return token;
  }

  /// Returns the tag of a representation in this coding.
  ///
  /// @param etag the tag of the representation without a coding
  public EntityTag tagged(EntityTag etag) {
    return this == IDENTITY ? etag : etag.with(TagVariant.contentCoded(this));
  }

  /// Returns a body that is kept in this coding, and may take its time.
  public byte[] encoded(byte[] content) {
    return switch (this) {
      case IDENTITY -> content;
      case ZSTD -> ContentEncoder.zstandard(content);
      case GZIP -> ContentEncoder.gzip(content);
      case BROTLI -> ContentEncoder.brotli(content);
    };
  }

  /// Returns an encoder of one body, or null for `identity`.
  public @Nullable ContentEncoder encoder() {
    return switch (this) {
      case IDENTITY -> null;
      case ZSTD -> ContentEncoder.zstandard();
      case GZIP -> ContentEncoder.gzip();
      case BROTLI -> ContentEncoder.brotli();
    };
  }
}
