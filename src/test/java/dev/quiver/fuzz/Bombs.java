package dev.quiver.fuzz;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.codec.Lz4Frame;
import dev.quiver.arrow.memory.Padding;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.fuzz.RawStream.Body;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// Inputs that decompress to far more than their size, as their codecs allow.
final class Bombs {

  private static final String TOO_MUCH =
      "Expected at most 1000 uncompressed bytes per byte of the bodies so far, past the first"
          + " 268435456 (quiver.limits.decompression-ratio) but found";

  private static final int BLOCK_BYTE_SIZE = 128 << 10;
  private static final Field BYTES = Field.of("b", true, new ArrowType.Int(8, true));
  private static final Field WORDS = Field.of("w", true, new ArrowType.Utf8());

  private Bombs() {}

  static List<Hostile> all() {
    return List.of(
        Hostile.rejected(
            "a zstd bomb as large as its column", column(2_000_000_000), 413, TOO_MUCH),
        Hostile.accepted("a column of zeros within the ratio", column(10 << 20)),
        Hostile.rejected("many small zstd bombs", batches(200, 100 << 20), 413, TOO_MUCH),
        Hostile.rejected(
            "a zstd bomb beyond its column",
            beyond(),
            413,
            "Expected at most 1000 uncompressed bytes per compressed byte (quiver.limits.decompression-ratio)"),
        Hostile.rejected("an LZ4 bomb that many buffers share", shared(1000), 413, TOO_MUCH),
        Hostile.rejected("dictionaries that are zstd bombs", dictionaries(100), 413, TOO_MUCH),
        Hostile.rejected(
            "dictionary replacements that are zstd bombs",
            replacements(100, false),
            413,
            "Expected at most 1000 bytes of dictionary values compared per byte of their messages (quiver.limits.decompression-ratio)"),
        Hostile.rejected(
            "dictionary deltas that are zstd bombs", replacements(100, true), 413, TOO_MUCH));
  }

  /// Returns an uncompressed length, followed by a frame of blocks that repeat a zero.
  static byte[] zstandard(long byteSize) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(numbers(8).putLong(byteSize).array());
    // A single segment, with a content size of eight bytes.
    out.writeBytes(numbers(13).putInt(0xFD2FB528).put((byte) 0xE0).putLong(byteSize).array());
    for (long rest = byteSize; rest > 0; rest -= BLOCK_BYTE_SIZE) {
      int size = (int) Math.min(BLOCK_BYTE_SIZE, rest);
      int header = size << 3 | 1 << 1 | (rest <= BLOCK_BYTE_SIZE ? 1 : 0);
      out.write(header);
      out.write(header >>> 8);
      out.write(header >>> 16);
      out.write(0);
    }
    return out.toByteArray();
  }

  private static byte[] column(long rows) {
    return RawStream.of(Schema.of(BYTES)).batch(column(rows, zstandard(rows))).end();
  }

  private static Body column(long rows, byte[] buffer) {
    return Body.of(
        rows, List.of(new FieldNode(rows, 0)), Codec.ZSTD, List.of(), new byte[0], buffer);
  }

  private static byte[] batches(int count, long rows) {
    RawStream stream = RawStream.of(Schema.of(BYTES));
    Body body = column(rows, zstandard(rows));
    for (int i = 0; i < count; i++) {
      stream.batch(body);
    }
    return stream.end();
  }

  private static byte[] beyond() {
    return RawStream.of(Schema.of(BYTES)).batch(column(1, zstandard(100 << 20))).end();
  }

  private static byte[] shared(int count) {
    byte[] frame = lz4(64 << 20);
    List<Field> fields = Collections.nCopies(count, BYTES);
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      buffers.add(new Buffer(0, 0));
      buffers.add(new Buffer(0, frame.length));
    }
    Body body =
        Body.at(
            64 << 20,
            Collections.nCopies(count, new FieldNode(64 << 20, 0)),
            Codec.LZ4,
            List.of(),
            buffers,
            Arrays.copyOf(frame, (int) Padding.padded(frame.length, 8)));
    return RawStream.of(Schema.of(fields.toArray(Field[]::new))).batch(body).end();
  }

  private static byte[] lz4(int byteSize) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment zeros = arena.allocate(byteSize);
      MemorySegment frame = arena.allocate(Lz4Frame.INSTANCE.maximumCompressedByteSize(byteSize));
      int count = (int) Lz4Frame.INSTANCE.compress(zeros, frame);
      return numbers(8 + count)
          .putLong(byteSize)
          .put(frame.asSlice(0, count).asByteBuffer())
          .array();
    }
  }

  /// Returns a single text of many zeros.
  private static Body word(int byteSize) {
    byte[] offsets = numbers(16).putLong(-1).putInt(0).putInt(byteSize).array();
    return Body.of(
        1,
        List.of(new FieldNode(1, 0)),
        Codec.ZSTD,
        List.of(),
        new byte[0],
        offsets,
        zstandard(byteSize));
  }

  private static byte[] dictionaries(int count) {
    Field[] fields = new Field[count];
    for (int i = 0; i < count; i++) {
      fields[i] =
          WORDS.withDictionary(new DictionaryEncoding(i, new ArrowType.Int(8, true), false));
    }
    RawStream stream = RawStream.of(Schema.of(fields));
    for (int i = 0; i < count; i++) {
      stream.dictionary(i, false, word(50 << 20));
    }
    return stream.end();
  }

  private static byte[] replacements(int count, boolean delta) {
    Field field =
        WORDS.withDictionary(new DictionaryEncoding(0, new ArrowType.Int(8, true), false));
    RawStream stream = RawStream.of(Schema.of(field));
    for (int i = 0; i < count; i++) {
      stream.dictionary(0, delta && i > 0, word((50 << 20) + i));
    }
    return stream.end();
  }

  private static ByteBuffer numbers(int byteSize) {
    return ByteBuffer.allocate(byteSize).order(ByteOrder.LITTLE_ENDIAN);
  }
}
