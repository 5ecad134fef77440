package dev.quiver.codec;

import org.jspecify.annotations.Nullable;

/// The codec that a client requests for bodies: the same for all, or the one that each has.
///
/// @param codec of all bodies, or null to preserve that of each
public record RequestedCodec(@Nullable Codec codec) {

  /// Each body stays in its codec.
  public static final RequestedCodec PRESERVE = new RequestedCodec(null);

  /// Returns the codec in which a body is wanted.
  ///
  /// @param current the codec in which the body is
  public Codec of(Codec current) {
    return codec == null ? current : codec;
  }
}
