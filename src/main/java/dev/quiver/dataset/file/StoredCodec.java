package dev.quiver.dataset.file;

import dev.quiver.metadata.CompressionType;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
import org.jspecify.annotations.Nullable;

/// The codec in which bodies are stored.
public enum StoredCodec {
  /// Each in its own.
  PRESERVE,
  NONE,
  LZ4,
  ZSTD;

  /// The codec of a body that came with this header, or null for none.
  public @Nullable CompressionType of(RecordBatchHeader header) {
    return switch (this) {
      case PRESERVE -> own(header);
      case NONE -> null;
      case LZ4 -> CompressionType.LZ4_FRAME;
      case ZSTD -> CompressionType.ZSTD;
    };
  }

  /// Whether a body that came with this header is in the codec already.
  public boolean isOf(RecordBatchHeader header) {
    return of(header) == own(header);
  }

  /// The codec in which a body came, or null for none.
  public static @Nullable CompressionType own(RecordBatchHeader header) {
    return header.compression() == null ? null : header.compression().codec();
  }
}
