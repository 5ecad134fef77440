package dev.quiver.arrow.ipc;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.metadata.BodyCompression;
import dev.quiver.arrow.metadata.CompressionType;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import org.jspecify.annotations.Nullable;

/// The translation between the codec of a body and the compression that its header declares.
public final class BodyCodecs {

  private BodyCodecs() {}

  /// Returns the codec of a body with this header.
  public static Codec of(RecordBatchHeader header) {
    return switch (header.compression()) {
      case null -> Codec.NONE;
      case BodyCompression(CompressionType type) ->
          switch (type) {
            case LZ4_FRAME -> Codec.LZ4;
            case ZSTD -> Codec.ZSTD;
          };
    };
  }

  /// Returns the compression that the header of a body in `codec` declares, or null for no codec.
  public static @Nullable BodyCompression compression(Codec codec) {
    return switch (codec) {
      case NONE -> null;
      case LZ4 -> new BodyCompression(CompressionType.LZ4_FRAME);
      case ZSTD -> new BodyCompression(CompressionType.ZSTD);
    };
  }
}
