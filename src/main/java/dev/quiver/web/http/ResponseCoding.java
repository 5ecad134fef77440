package dev.quiver.web.http;

import dev.quiver.codec.ContentEncoder;
import org.jspecify.annotations.Nullable;

/// The content codings that a body may be sent in: RFC 9110 §8.4.1, RFC 8878 §7.2.
public enum ResponseCoding {
  IDENTITY("identity"),
  ZSTD("zstd"),
  GZIP("gzip");

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
  /// @param etag of the uncoded representation
  public EntityTag tagged(EntityTag etag) {
    return this == IDENTITY ? etag : etag.with(Variant.contentCoded(this));
  }

  /// Returns an encoder of one body, or null if absent.
  public @Nullable ContentEncoder encoder() {
    return switch (this) {
      case IDENTITY -> null;
      case ZSTD -> ContentEncoder.zstandard();
      case GZIP -> ContentEncoder.gzip();
    };
  }
}
