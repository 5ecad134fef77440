package dev.quiver.web;

import java.time.Instant;
import java.util.Map;

/// One representation of a resource, ready to be sent.
///
/// @param lastModified when the version was committed
/// @param immutable whether the URL names a version, so that a cache may keep it
/// @param headers what else goes with a 200 or 206, such as `Arrow-Row-Count`
record Representation(
    String contentType,
    EntityTag etag,
    Instant lastModified,
    boolean immutable,
    Map<String, String> headers,
    Body body) {

  private static final String REVALIDATE = "no-cache";
  private static final String FOR_EVER = "public, max-age=31536000, immutable";

  String cacheControl() {
    return immutable ? FOR_EVER : REVALIDATE;
  }
}
