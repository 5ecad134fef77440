package dev.quiver.formats.parquet.page;

import dev.quiver.formats.parquet.file.CompressionCodec;
import dev.quiver.formats.parquet.file.ParquetErrors;

/// A decompressor of pages, from array to array.
final class PageDecompressor {

  private PageDecompressor() {}

  /// Decompresses the bytes from `start` to `end` into the start of `destination`.
  ///
  /// @param source an array with [PageBytes#ROOM] bytes after `end`
  /// @param destination an array with [PageBytes#ROOM] bytes after the content
  /// @param byteSize the expected size of the content
  /// @throws dev.quiver.arrow.memory.InputException if the bytes do not decompress to that size
  static void decompress(
      CompressionCodec codec, byte[] source, int start, int end, byte[] destination, int byteSize) {
    BlockDecoder.Block block = new BlockDecoder.Block(source, start, end);
    switch (codec) {
      case UNCOMPRESSED -> copy(source, start, end, destination, byteSize);
      case SNAPPY -> Snappy.decompress(source, start, end, destination, byteSize);
      case GZIP -> BlockDecoder.decodeGzip(block, destination, byteSize);
      case BROTLI -> BlockDecoder.decodeBrotli(block, destination, byteSize);
      case LZ4 -> BlockDecoder.decodeHadoopLz4(block, destination, byteSize);
      case ZSTD -> BlockDecoder.decodeZstandard(block, destination, byteSize);
      case LZ4_RAW -> BlockDecoder.decodeLz4(block, destination, byteSize);
      case LZO -> throw ParquetErrors.damaged("a supported codec");
    }
  }

  private static void copy(byte[] source, int start, int end, byte[] destination, int byteSize) {
    if (end - start != byteSize) {
      throw ParquetErrors.damaged("uncompressed pages of the declared size");
    }
    System.arraycopy(source, start, destination, 0, byteSize);
  }
}
