package dev.quiver.fuzz;

import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.arrow.type.UnionMode;
import dev.quiver.fuzz.RawStream.Body;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/// Valid data in which few bytes represent very many values: rows without buffers, and values that
/// many slots share.
final class DecompressionRatios {

  private static final int ROWS = Integer.MAX_VALUE;
  private static final byte[] NOTHING = new byte[0];
  private static final ArrowType.Int INT8 = new ArrowType.Int(8, true);
  private static final ArrowType.Int INT32 = new ArrowType.Int(32, true);
  private static final ArrowType.Int INT64 = new ArrowType.Int(64, true);
  private static final Field NULLS = Field.of("x", true, new ArrowType.Null());

  private DecompressionRatios() {}

  static List<Hostile> all() {
    List<Hostile> all = new ArrayList<>(rowsWithoutBuffers());
    all.addAll(sharedValues());
    all.addAll(sharedBuffers());
    return all;
  }

  private static List<Hostile> rowsWithoutBuffers() {
    FieldNode nulls = new FieldNode(ROWS, ROWS);
    FieldNode full = new FieldNode(ROWS, 0);
    Field struct = Field.of("s", true, new ArrowType.Struct(), NULLS, NULLS);
    Field empty = Field.of("s", true, new ArrowType.Struct());
    Field noBytes = Field.of("b", true, new ArrowType.FixedSizeBinary(0));
    Field noItems = Field.of("l", true, new ArrowType.FixedSizeList(0), NULLS);
    Field wide = Field.of("l", true, new ArrowType.FixedSizeList(ROWS), NULLS);
    Field wider = Field.of("l", true, new ArrowType.FixedSizeList(ROWS), wide);
    Field[] many = Collections.nCopies(1000, NULLS).toArray(Field[]::new);
    return List.of(
        accepted("no columns", Schema.of(), Body.of(ROWS, List.of())),
        accepted("nulls", Schema.of(NULLS), Body.of(ROWS, List.of(nulls))),
        accepted(
            "columns of nulls", Schema.of(many), Body.of(ROWS, Collections.nCopies(1000, nulls))),
        accepted(
            "structs of nulls",
            Schema.of(struct),
            Body.of(ROWS, List.of(full, nulls, nulls), NOTHING)),
        accepted("structs of nothing", Schema.of(empty), Body.of(ROWS, List.of(full), NOTHING)),
        accepted(
            "binary of no bytes",
            Schema.of(noBytes),
            Body.of(ROWS, List.of(full), NOTHING, NOTHING)),
        accepted(
            "lists of no items",
            Schema.of(noItems),
            Body.of(ROWS, List.of(full, new FieldNode(0, 0)), NOTHING)),
        accepted(
            "a list of many nulls",
            Schema.of(wide),
            Body.of(1, List.of(new FieldNode(1, 0), nulls), NOTHING)),
        accepted(
            "a list of lists of many nulls",
            Schema.of(wider),
            Body.of(
                1,
                List.of(
                    new FieldNode(1, 0),
                    full,
                    new FieldNode((long) ROWS * ROWS, (long) ROWS * ROWS)),
                NOTHING,
                NOTHING)),
        accepted(
            "one run",
            Schema.of(runs(INT32)),
            Body.of(
                ROWS,
                List.of(full, new FieldNode(1, 0), new FieldNode(1, 0)),
                NOTHING,
                int32s(ROWS, 0),
                NOTHING,
                new byte[8])),
        accepted(
            "a run in a run",
            Schema.of(
                Field.of(
                    "r",
                    true,
                    new ArrowType.RunEndEncoded(),
                    Field.of("run_ends", false, INT64),
                    runs(INT32))),
            Body.of(
                ROWS,
                List.of(
                    full,
                    new FieldNode(1, 0),
                    new FieldNode(1, 0),
                    new FieldNode(1, 0),
                    new FieldNode(1, 0)),
                NOTHING,
                int64s(Long.MAX_VALUE),
                NOTHING,
                int32s(ROWS, 0),
                NOTHING,
                new byte[8])),
        manyBatches());
  }

  private static Hostile manyBatches() {
    RawStream stream = RawStream.of(Schema.of(NULLS));
    for (int i = 0; i < 1000; i++) {
      stream.batch(Body.of(ROWS, List.of(new FieldNode(ROWS, ROWS))));
    }
    return Hostile.accepted("batches of nulls", stream.end());
  }

  private static List<Hostile> sharedValues() {
    int lists = 10_000;
    FieldNode outer = new FieldNode(lists, 0);
    byte[] zeros = new byte[4 * lists];
    byte[] sizes = new byte[4 * lists];
    ByteBuffer.wrap(sizes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().put(same(lists, lists));
    Field views = Field.of("v", true, new ArrowType.ListView(), NULLS);
    Field nested = views;
    List<FieldNode> nodes = new ArrayList<>(List.of(new FieldNode(lists, lists), outer));
    List<byte[]> buffers = new ArrayList<>(List.of(NOTHING, zeros, sizes));
    for (int i = 0; i < 5; i++) {
      nested = Field.of("v", true, new ArrowType.ListView(), nested);
      nodes.add(outer);
      buffers.addAll(List.of(NOTHING, zeros, sizes));
    }
    String text = "x".repeat(64 << 10);
    Field words =
        Field.of("d", true, new ArrowType.Utf8())
            .withDictionary(new DictionaryEncoding(0, INT8, false));
    Field lookups =
        Field.of("d", true, new ArrowType.List(), words)
            .withDictionary(new DictionaryEncoding(1, INT8, false));
    Body word =
        Body.of(1, List.of(new FieldNode(1, 0)), NOTHING, int32s(0, text.length()), ascii(text));
    Field union =
        Field.of(
            "u",
            true,
            new ArrowType.Union(UnionMode.DENSE, List.of(0)),
            Field.of("t", true, new ArrowType.Utf8()));
    return List.of(
        accepted(
            "list views of one list",
            Schema.of(views),
            Body.of(lists, List.of(outer, new FieldNode(lists, lists)), NOTHING, zeros, sizes)),
        accepted(
            "list views of list views of one list",
            Schema.of(nested),
            Body.of(lists, nodes.reversed(), buffers.toArray(byte[][]::new))),
        Hostile.accepted(
            "a long text in a dictionary",
            RawStream.of(Schema.of(words))
                .dictionary(0, false, word)
                .batch(
                    Body.of(
                        200_000, List.of(new FieldNode(200_000, 0)), NOTHING, new byte[200_000]))
                .end()),
        Hostile.accepted(
            "a long list of a long text in dictionaries",
            RawStream.of(Schema.of(lookups))
                .dictionary(0, false, word)
                .dictionary(
                    1,
                    false,
                    Body.of(
                        1,
                        List.of(new FieldNode(1, 0), new FieldNode(lists, 0)),
                        NOTHING,
                        int32s(0, lists),
                        NOTHING,
                        new byte[lists]))
                .batch(
                    Body.of(
                        200_000, List.of(new FieldNode(200_000, 0)), NOTHING, new byte[200_000]))
                .end()),
        accepted(
            "views of one long text",
            Schema.of(Field.of("v", true, new ArrowType.Utf8View())),
            Body.of(
                lists,
                List.of(outer),
                Codec.NONE,
                List.of(1L),
                NOTHING,
                views(lists, text.length()),
                ascii(text))),
        accepted(
            "a union of one long text",
            Schema.of(union),
            Body.of(
                lists,
                List.of(outer, new FieldNode(1, 0)),
                new byte[lists],
                zeros,
                NOTHING,
                int32s(0, text.length()),
                ascii(text))));
  }

  private static List<Hostile> sharedBuffers() {
    int count = 1000;
    int byteSize = 64 << 10;
    Field[] fields = Collections.nCopies(count, Field.of("b", true, INT8)).toArray(Field[]::new);
    List<Buffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      buffers.add(new Buffer(0, 0));
      buffers.add(new Buffer(0, byteSize));
    }
    List<FieldNode> nodes = Collections.nCopies(count, new FieldNode(byteSize, 0));
    int views = 900;
    List<Buffer> variadic = new ArrayList<>(List.of(new Buffer(0, 0), new Buffer(0, 16)));
    variadic.addAll(Collections.nCopies(views, new Buffer(0, byteSize)));
    return List.of(
        accepted(
            "columns over one buffer",
            Schema.of(fields),
            Body.at(byteSize, nodes, Codec.NONE, List.of(), buffers, new byte[byteSize])),
        accepted(
            "data buffers of views over one",
            Schema.of(Field.of("v", true, new ArrowType.BinaryView())),
            Body.at(
                1,
                List.of(new FieldNode(1, 0)),
                Codec.NONE,
                List.of((long) views),
                variadic,
                new byte[byteSize])));
  }

  private static Hostile accepted(String name, Schema schema, Body batch) {
    return Hostile.accepted(name, RawStream.of(schema).batch(batch).end());
  }

  private static Field runs(ArrowType.Int ends) {
    return Field.of(
        "r",
        true,
        new ArrowType.RunEndEncoded(),
        Field.of("run_ends", false, ends),
        Field.of("values", true, INT8));
  }

  private static byte[] views(int count, int byteSize) {
    ByteBuffer views = ByteBuffer.allocate(16 * count).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      views.putInt(byteSize).put(ascii("xxxx")).putInt(0).putInt(0);
    }
    return views.array();
  }

  private static int[] same(int count, int value) {
    return IntStream.generate(() -> value).limit(count).toArray();
  }

  private static byte[] int32s(int... values) {
    ByteBuffer buffer = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.stream(values).forEach(buffer::putInt);
    return buffer.array();
  }

  private static byte[] int64s(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
