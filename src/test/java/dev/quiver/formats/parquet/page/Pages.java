package dev.quiver.formats.parquet.page;

import dev.quiver.formats.parquet.file.Encoding;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.IntStream;

/// Pages in the middle of an array, surrounded by other bytes.
final class Pages {

  private static final int START = 3;

  private Pages() {}

  static Page of(Encoding encoding, int valueCount, byte[] values) {
    byte[] array = new byte[START + values.length + PageBytes.ROOM];
    Arrays.fill(array, (byte) -1);
    System.arraycopy(values, 0, array, START, values.length);
    return new Page(new PageBytes(array), START, START + values.length, valueCount, encoding);
  }

  static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  /// Returns random positive counts with the given sum.
  static int[] parts(Random random, int sum) {
    int[] parts = new int[sum];
    int count = 0;
    for (int left = sum; left > 0; left -= parts[count++]) {
      parts[count] = Math.min(left, 1 + random.nextInt(70));
    }
    return Arrays.copyOf(parts, count);
  }

  /// Encodes DELTA_BINARY_PACKED. The last block has invalid bit widths for missing miniblocks.
  static byte[] delta(int blockSize, int miniblockCount, long... values) {
    BitWriter writer =
        new BitWriter().varint(blockSize).varint(miniblockCount).varint(values.length);
    writer.zigzag(values.length == 0 ? 0 : values[0]);
    for (int start = 1; start < values.length; start += blockSize) {
      long[] deltas = new long[Math.min(blockSize, values.length - start)];
      for (int i = 0; i < deltas.length; i++) {
        deltas[i] = values[start + i] - values[start + i - 1];
      }
      block(writer, deltas, blockSize / miniblockCount, miniblockCount);
    }
    return writer.toBytes();
  }

  private static void block(
      BitWriter writer, long[] deltas, int miniblockSize, int miniblockCount) {
    long minimum = Arrays.stream(deltas).min().orElseThrow();
    writer.zigzag(minimum);
    int[] bitWidths = new int[miniblockCount];
    Arrays.fill(bitWidths, 0xFF);
    for (int i = 0; i * miniblockSize < deltas.length; i++) {
      int from = i * miniblockSize;
      bitWidths[i] =
          IntStream.range(from, Math.min(from + miniblockSize, deltas.length))
              .map(j -> Long.SIZE - Long.numberOfLeadingZeros(deltas[j] - minimum))
              .max()
              .orElseThrow();
    }
    for (int bitWidth : bitWidths) {
      writer.bits(bitWidth, Byte.SIZE);
    }
    for (int i = 0; i * miniblockSize < deltas.length; i++) {
      for (int j = i * miniblockSize; j < (i + 1) * miniblockSize; j++) {
        writer.bits(j < deltas.length ? deltas[j] - minimum : 0, bitWidths[i]);
      }
    }
  }
}
