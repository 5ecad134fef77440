package dev.quiver.arrow.codec;

import org.jspecify.annotations.Nullable;

/// The codec that a client requests for bodies: the same for all, or the one that each has.
///
/// @param codec of all bodies, or null to preserve the codec of each
public record RequestedCodec(@Nullable Codec codec) {

  /// Keeps the codec of each body.
  public static final RequestedCodec PRESERVE = new RequestedCodec(null);

  /// Returns the requested codec of a body.
  ///
  /// @param current the present codec of the body
  public Codec of(Codec current) {
    return codec == null ? current : codec;
  }
}
