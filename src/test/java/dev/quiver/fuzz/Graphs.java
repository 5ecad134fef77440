package dev.quiver.fuzz;

import com.google.flatbuffers.FlatBufferBuilder;
import dev.quiver.arrow.ipc.Bytes;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;

/// Schemas whose tables refer to the same tables repeatedly.
final class Graphs {

  // Slots of Message.fbs and Schema.fbs.
  private static final int MESSAGE_VERSION = 0;
  private static final int MESSAGE_HEADER_TYPE = 1;
  private static final int MESSAGE_HEADER = 2;
  private static final int MESSAGE_CUSTOM_METADATA = 4;
  private static final int SCHEMA_FIELDS = 1;
  private static final int FIELD_NAME = 0;
  private static final int FIELD_TYPE_TYPE = 2;
  private static final int FIELD_TYPE = 3;
  private static final int FIELD_CHILDREN = 5;
  private static final byte STRUCT = 13;
  private static final byte NULL = 1;

  private static final String EXPANDED = "counted once per reference but found more";

  private final FlatBufferBuilder builder = new FlatBufferBuilder();

  private Graphs() {}

  static List<Hostile> all() {
    return List.of(
        Hostile.rejected("fields that double at each of 60 levels", doubled(60), 400, EXPANDED),
        Hostile.rejected("fields that double at each of 16 levels", doubled(16), 400, EXPANDED),
        Hostile.rejected("fields nested 1000 levels deep", deep(1000), 413, "levels of fields"),
        Hostile.rejected("one field 90000 times", repeated(90_000, "x"), 400, EXPANDED),
        Hostile.rejected(
            "one field with a long name 9000 times",
            repeated(9_000, "x".repeat(9000)),
            400,
            EXPANDED),
        Hostile.rejected(
            "one field 2 million times", repeated(2_000_000, "x"), 413, "fields in a schema"),
        Hostile.rejected("one metadata entry a million times", entries(1_000_000), 400, EXPANDED),
        Hostile.rejected(
            "an invalid field with a long name", longName(4 << 20), 422, "but found 99 at"));
  }

  private static byte[] doubled(int levels) {
    return schema(
        graph -> {
          int field = graph.field("x", NULL, 0);
          for (int i = 0; i < levels; i++) {
            field =
                graph.field(
                    "x", STRUCT, graph.builder.createVectorOfTables(new int[] {field, field}));
          }
          return graph.builder.createVectorOfTables(new int[] {field});
        },
        0);
  }

  private static byte[] deep(int levels) {
    return schema(
        graph -> {
          int field = graph.field("x", NULL, 0);
          for (int i = 0; i < levels; i++) {
            field = graph.field("x", STRUCT, graph.builder.createVectorOfTables(new int[] {field}));
          }
          return graph.builder.createVectorOfTables(new int[] {field});
        },
        0);
  }

  private static byte[] repeated(int count, String name) {
    return schema(
        graph -> {
          int[] fields = new int[count];
          Arrays.fill(fields, graph.field(name, NULL, 0));
          return graph.builder.createVectorOfTables(fields);
        },
        0);
  }

  private static byte[] longName(int byteSize) {
    return schema(
        graph -> {
          int field = graph.field("\u0001".repeat(byteSize), (byte) 99, 0);
          return graph.builder.createVectorOfTables(new int[] {field});
        },
        0);
  }

  private static byte[] entries(int count) {
    return schema(graph -> graph.builder.createVectorOfTables(new int[0]), count);
  }

  private static byte[] schema(ToIntFunction<Graphs> fields, int entryCount) {
    Graphs graph = new Graphs();
    FlatBufferBuilder builder = graph.builder;
    int fieldVector = fields.applyAsInt(graph);
    int entries = 0;
    if (entryCount > 0) {
      int key = builder.createString("");
      builder.startTable(2);
      builder.addOffset(0, key, 0);
      int[] references = new int[entryCount];
      Arrays.fill(references, builder.endTable());
      entries = builder.createVectorOfTables(references);
    }
    builder.startTable(4);
    builder.addOffset(SCHEMA_FIELDS, fieldVector, 0);
    int schema = builder.endTable();
    builder.startTable(5);
    builder.addShort(MESSAGE_VERSION, (short) 4, 0);
    builder.addByte(MESSAGE_HEADER_TYPE, (byte) 1, 0);
    builder.addOffset(MESSAGE_HEADER, schema, 0);
    if (entries > 0) {
      builder.addOffset(MESSAGE_CUSTOM_METADATA, entries, 0);
    }
    builder.finish(builder.endTable());
    byte[] metadata = builder.sizedByteArray();
    byte[] padded = Arrays.copyOf(metadata, (metadata.length + 7) / 8 * 8);
    return new Bytes()
        .int32(-1)
        .int32(padded.length)
        .bytes(padded)
        .int32(-1)
        .int32(0)
        .toByteArray();
  }

  private int field(String name, byte typeCode, int children) {
    int nameOffset = builder.createString(name);
    builder.startTable(0);
    int type = builder.endTable();
    builder.startTable(7);
    builder.addOffset(FIELD_NAME, nameOffset, 0);
    builder.addByte(FIELD_TYPE_TYPE, typeCode, (byte) 0);
    builder.addOffset(FIELD_TYPE, type, 0);
    if (children != 0) {
      builder.addOffset(FIELD_CHILDREN, children, 0);
    }
    return builder.endTable();
  }
}
