package dev.quiver.web.http;

import dev.quiver.codec.ContentEncoder;
import dev.quiver.codec.Zstandard;
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

  /// Its name in `Content-Encoding`.
  public String token() {
    return token;
  }

  /// The tag of what `etag` names in this coding: no two whose bytes differ have the same.
  public EntityTag tagged(EntityTag etag) {
    return switch (this) {
      case IDENTITY -> etag;
      case ZSTD -> etag.with(variant(Zstandard.INSTANCE.libraryVersion()));
      case GZIP -> etag.with(variant(Runtime.version().toString()));
    };
  }

  /// What codes a body, or null when it is sent as it is.
  public @Nullable ContentEncoder encoder() {
    return switch (this) {
      case IDENTITY -> null;
      case ZSTD -> ContentEncoder.zstandard();
      case GZIP -> ContentEncoder.gzip();
    };
  }

  private String variant(String libraryVersion) {
    return "%s-%d-%s".formatted(token, ContentEncoder.FORMAT_NUMBER, libraryVersion);
  }
}
