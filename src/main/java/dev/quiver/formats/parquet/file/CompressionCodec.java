package dev.quiver.formats.parquet.file;

import org.jspecify.annotations.Nullable;

/// The codec of a column chunk's pages. Ordinals are the numbers in files.
public enum CompressionCodec {
  UNCOMPRESSED,
  SNAPPY,
  GZIP,
  LZO,
  BROTLI,
  /// LZ4 blocks, mostly in Hadoop's framing.
  LZ4,
  ZSTD,
  LZ4_RAW;

  private static final CompressionCodec[] CODECS = values();

  /// Returns the codec with a number, or null if unknown.
  static @Nullable CompressionCodec of(int number) {
    return number >= 0 && number < CODECS.length ? CODECS[number] : null;
  }
}
