package dev.quiver.server.inspect;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.MessageWriter;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.FieldNode;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Metadata;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Streams and messages to inspect.
final class InspectedInputs {

  static final Schema SCHEMA =
      Schema.of(
          Field.of("n", true, new ArrowType.Int(32, true)),
          Field.of("c", true, new ArrowType.Utf8())
              .withDictionary(new DictionaryEncoding(7, new ArrowType.Int(8, true), false)));
  static final Schema TEXT = Schema.of(Field.of("t\"<", true, new ArrowType.Utf8()));

  private InspectedInputs() {}

  static RecordBatch batch(ArrayBuilder builder, int rows) {
    List<@Nullable Object> numbers = new ArrayList<>();
    List<@Nullable Object> colors = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      numbers.add(i == 1 ? null : i);
      colors.add(List.of("red", "green").get(i % 2));
    }
    return builder.recordBatch(SCHEMA, rows, List.of(numbers, colors));
  }

  static ArrayBuilder builder() {
    return new ArrayBuilder(Arena.ofAuto(), Map.of(7L, List.of("red", "green")));
  }

  static byte[] stream(Codec codec, int... rows) throws IOException {
    Bytes bytes = new Bytes();
    StreamWriter writer = new StreamWriter(bytes, SCHEMA, codec);
    ArrayBuilder builder = builder();
    for (int count : rows) {
      writer.write(batch(builder, count));
    }
    writer.close();
    return bytes.toByteArray();
  }

  /// Writes a batch of one text slot.
  static Block writeText(MessageWriter writer, byte[] text) throws IOException {
    Block block = writer.write(header(new FieldNode(1, 0), text.length), Metadata.EMPTY, 24);
    writer.write(new Bytes().int32(0).int32(text.length).bytes(Arrays.copyOf(text, 16)).segment());
    return block;
  }

  static RecordBatchHeader header(FieldNode node, long textLength) {
    return new RecordBatchHeader(
        1,
        List.of(node),
        List.of(new Buffer(0, 0), new Buffer(0, 8), new Buffer(8, textLength)),
        null,
        List.of());
  }
}
