package dev.quiver.fuzz;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.fuzz.RawStream.Body;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/// Inputs that declare more than they contain.
final class ForgedLengths {

  private static final Field NUMBER = Field.of("n", true, new ArrowType.Int(64, true));
  private static final Field VIEW = Field.of("v", true, new ArrowType.BinaryView());
  private static final Field LIST =
      Field.of("l", true, new ArrowType.FixedSizeList(Integer.MAX_VALUE), NUMBER);

  private ForgedLengths() {}

  static List<Hostile> all() {
    byte[] nothing = new byte[0];
    return List.of(
        Hostile.rejected(
            "metadata of 60 MB",
            new Bytes().int32(-1).int32(60_000_000).int32(16).toByteArray(),
            400,
            "Expected metadata of 60000000 bytes but found the end of the input after 4"),
        Hostile.rejected(
            "metadata of 2 GiB",
            new Bytes().int32(-1).int32(Integer.MAX_VALUE).int32(16).toByteArray(),
            413,
            "Expected at most 67108864 bytes of metadata in a message (quiver.limits.metadata-bytes)"
                + " but found 2147483647"),
        Hostile.rejected(
            "a body of 16 GiB",
            RawStream.of(Schema.of(NUMBER))
                .declaring(number(1, new Buffer(0, 8)).header(), 16L << 30)
                .truncated(),
            400,
            "Expected a body of 17179869184 bytes but found the end of the input after 0"),
        Hostile.rejected(
            "a body of 2^62 bytes",
            RawStream.of(Schema.of(NUMBER))
                .declaring(number(1, new Buffer(0, 8)).header(), 1L << 62)
                .truncated(),
            413,
            "Expected at most 17179869184 bytes in a body (quiver.limits.body-bytes) but found"
                + " 4611686018427387904"),
        Hostile.rejected(
            "2^62 rows",
            RawStream.of(Schema.of(NUMBER)).batch(number(1L << 62, new Buffer(0, 8))).end(),
            413,
            "Expected at most 2147483647 rows in a record batch (quiver.limits.batch-rows) but"
                + " found 4611686018427387904"),
        Hostile.rejected(
            "the maximum number of rows without any bytes",
            RawStream.of(Schema.of(NUMBER)).batch(number(Integer.MAX_VALUE)).end(),
            400,
            "Expected"),
        Hostile.rejected(
            "a buffer that ends at 2^63",
            RawStream.of(Schema.of(NUMBER))
                .batch(number(1, new Buffer(Long.MAX_VALUE - 7, 7)))
                .end(),
            400,
            "Expected a buffer within the body of 8 bytes but found"),
        Hostile.rejected(
            "a child of 2^62 slots",
            RawStream.of(Schema.of(LIST))
                .batch(
                    Body.of(
                        1,
                        List.of(new FieldNode(1, 0), new FieldNode(1L << 62, 0)),
                        nothing,
                        nothing,
                        nothing))
                .end(),
            400,
            "Expected"),
        Hostile.rejected(
            "2^62 buffers of a view",
            RawStream.of(Schema.of(VIEW))
                .batch(
                    Body.of(
                        1,
                        List.of(new FieldNode(1, 0)),
                        Codec.NONE,
                        List.of(1L << 62),
                        nothing,
                        new byte[16]))
                .end(),
            400,
            "Expected more buffers for the schema but found only 2"),
        Hostile.rejected(
            "a compressed buffer of 2^62 bytes", compressed(1L << 62, 1), 400, "Expected an"),
        Hostile.rejected(
            "a compressed buffer of 1 GiB in a few bytes",
            compressed(1L << 30, 1 << 27),
            400,
            "Expected an uncompressed length of at most"),
        footer(Integer.MAX_VALUE, 413, "Expected at most 67108864 bytes of a footer"),
        footer(1_000_000, 400, "Expected a footer length of 1 to"),
        footer(-1, 400, "Expected a footer length of 1 to"),
        block("a Block of 2 GiB of metadata", new Block(8, Integer.MAX_VALUE, 0)),
        block("a Block of 2^62 bytes", new Block(8, 8, 1L << 62)),
        block("a Block at 2^62", new Block(1L << 62, 8, 8)));
  }

  private static Body number(long rows, Buffer... data) {
    Buffer values = data.length == 0 ? new Buffer(0, 0) : data[0];
    return Body.at(
        rows,
        List.of(new FieldNode(rows, 0)),
        Codec.NONE,
        List.of(),
        List.of(new Buffer(0, 0), values),
        new byte[8]);
  }

  private static byte[] compressed(long declared, long rows) {
    byte[] buffer = new byte[40];
    ByteBuffer.wrap(buffer).order(ByteOrder.LITTLE_ENDIAN).putLong(declared).putInt(0x184D2204);
    return RawStream.of(Schema.of(NUMBER))
        .batch(
            Body.of(
                rows, List.of(new FieldNode(rows, 0)), Codec.LZ4, List.of(), new byte[0], buffer))
        .end();
  }

  private static Hostile footer(int byteSize, int status, String message) {
    byte[] file = RawStream.file(Schema.of(NUMBER)).end(List.of());
    ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).putInt(file.length - 10, byteSize);
    byte[] copy = Arrays.copyOf(file, file.length);
    return Hostile.rejected("a footer of " + byteSize + " bytes", copy, status, message).asFile();
  }

  private static Hostile block(String name, Block block) {
    byte[] file = RawStream.file(Schema.of(NUMBER)).end(List.of(block));
    return Hostile.rejected(name, file, 400, "Expected ").asFile();
  }
}
