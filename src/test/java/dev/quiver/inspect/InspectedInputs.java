package dev.quiver.inspect;

import dev.quiver.codec.Codec;
import dev.quiver.columnar.ArrayBuilder;
import dev.quiver.columnar.ArrowType;
import dev.quiver.columnar.DictionaryEncoding;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.Metadata;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.ipc.Bytes;
import dev.quiver.ipc.MessageWriter;
import dev.quiver.ipc.StreamWriter;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.Buffer;
import dev.quiver.metadata.FieldNode;
import dev.quiver.metadata.MessageHeader.RecordBatchHeader;
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
