package dev.quiver.ipc;

import dev.quiver.codec.BufferCodec;
import dev.quiver.codec.Lz4Frame;
import dev.quiver.codec.Zstandard;
import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import org.jspecify.annotations.Nullable;

/// The codec of each compression type.
final class BodyCodecs {

  private BodyCodecs() {}

  static BufferCodec of(CompressionType type) {
    return switch (type) {
      case LZ4_FRAME -> Lz4Frame.INSTANCE;
      case ZSTD -> Zstandard.INSTANCE;
    };
  }

  /// Returns the compression type of a body, or null if uncompressed.
  static @Nullable CompressionType typeOf(RecordBatchHeader header) {
    return header.compression() == null ? null : header.compression().codec();
  }
}
