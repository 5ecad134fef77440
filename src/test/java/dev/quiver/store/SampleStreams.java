package dev.quiver.store;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.codec.Codec;
import dev.quiver.arrow.ipc.Bytes;
import dev.quiver.arrow.ipc.StreamWriter;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Streams to upload.
public final class SampleStreams {

  public static final ArrowType.Int INT32 = new ArrowType.Int(32, true);

  /// A number, and a text with dictionary 7.
  public static final Schema SCHEMA =
      Schema.of(
          Field.of("number", true, INT32),
          Field.of("color", true, new ArrowType.Utf8())
              .withDictionary(new DictionaryEncoding(7, new ArrowType.Int(8, true), false)));

  private static final List<String> COLORS = List.of("red", "green", "blue");

  private SampleStreams() {}

  /// Returns a stream with batches of [#SCHEMA] of these numbers of rows.
  public static byte[] stream(int... rows) {
    return stream(Codec.NONE, rows);
  }

  public static byte[] stream(Codec codec, int... rows) {
    Bytes bytes = new Bytes();
    try {
      StreamWriter writer = new StreamWriter(bytes, SCHEMA, codec);
      ArrayBuilder builder = builder();
      for (int count : rows) {
        writer.write(batch(builder, count));
      }
      writer.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /// Returns a builder whose batches share the same dictionary.
  public static ArrayBuilder builder() {
    return new ArrayBuilder(Arena.ofAuto(), Map.of(7L, COLORS));
  }

  public static RecordBatch batch(ArrayBuilder builder, int rows) {
    List<@Nullable Object> numbers = new ArrayList<>();
    List<@Nullable Object> colors = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      numbers.add(i % 5 == 4 ? null : i);
      colors.add(COLORS.get(i % 3));
    }
    return builder.recordBatch(SCHEMA, rows, List.of(numbers, colors));
  }
}
