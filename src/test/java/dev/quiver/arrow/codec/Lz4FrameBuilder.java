package dev.quiver.arrow.codec;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/// A byte-by-byte builder of LZ4 frames, including frames that no compressor writes.
final class Lz4FrameBuilder {

  private static final XXHash32 HASH = XXHashFactory.safeInstance().hash32();

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /// Starts a frame with the magic number, these descriptor bytes, and their checksum.
  static Lz4FrameBuilder frame(int... descriptor) {
    Lz4FrameBuilder builder = new Lz4FrameBuilder().int32(0x184D2204).bytes(descriptor);
    byte[] hashed = new byte[descriptor.length];
    for (int i = 0; i < hashed.length; i++) {
      hashed[i] = (byte) descriptor[i];
    }
    return builder.bytes(hash(hashed) >>> 8 & 0xFF);
  }

  /// Appends a compressed block of these sequences.
  Lz4FrameBuilder block(int... data) {
    return int32(data.length).bytes(data);
  }

  Lz4FrameBuilder rawBlock(String text) {
    return int32(text.length() | 0x8000_0000).bytes(text.chars().toArray());
  }

  Lz4FrameBuilder endMark() {
    return int32(0);
  }

  Lz4FrameBuilder hashOf(String text) {
    return int32(hash(text.getBytes(StandardCharsets.US_ASCII)));
  }

  Lz4FrameBuilder int32(int value) {
    return bytes(value, value >>> 8, value >>> 16, value >>> 24);
  }

  Lz4FrameBuilder bytes(int... values) {
    for (int value : values) {
      bytes.write(value);
    }
    return this;
  }

  byte[] build() {
    return bytes.toByteArray();
  }

  private static int hash(byte[] hashed) {
    return HASH.hash(hashed, 0, hashed.length, 0);
  }
}
