package dev.quiver.ipc;

import dev.quiver.codec.BufferCodec;
import dev.quiver.codec.Lz4Frame;
import dev.quiver.codec.Zstandard;
import dev.quiver.metadata.CompressionType;

/// The codec of each compression type.
final class BodyCodecs {

  private BodyCodecs() {}

  static BufferCodec of(CompressionType type) {
    return switch (type) {
      case LZ4_FRAME -> Lz4Frame.INSTANCE;
      case ZSTD -> Zstandard.INSTANCE;
    };
  }
}
