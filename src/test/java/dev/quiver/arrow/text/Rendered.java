package dev.quiver.arrow.text;

import static java.util.Arrays.asList;

import dev.quiver.arrow.array.ArrayBuilder;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.ArrowType;
import dev.quiver.arrow.type.DictionaryEncoding;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// Helpers that build batches and render them as text.
final class Rendered {

  private static final Limit UNLIMITED = new Limit("text-response-bytes", Long.MAX_VALUE);
  static final ArrowType.Int INT8 = new ArrowType.Int(8, true);
  static final ArrowType.Int INT64 = new ArrowType.Int(64, true);
  static final ArrowType.Utf8 UTF8 = new ArrowType.Utf8();

  private Rendered() {}

  static String render(TextFormat format, JsonNumbers numbers, RecordBatch... batches)
      throws IOException {
    return render(format, TextOptions.whole(numbers), batches);
  }

  static String render(TextFormat format, TextOptions options, RecordBatch... batches)
      throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    Renderer renderer =
        Renderer.begin(
            format,
            options,
            batches[0].schema(),
            part -> text.writeBytes(part.toArray(LittleEndian.INT8)),
            UNLIMITED);
    for (RecordBatch batch : batches) {
      renderer.write(batch);
    }
    renderer.end();
    return text.toString(StandardCharsets.UTF_8);
  }

  static RecordBatch batch(Field field, List<?> values) {
    ArrayBuilder builder =
        new ArrayBuilder(Arena.ofAuto(), Map.of(7L, asList("a", "b \"c\"", null)));
    return builder.recordBatch(Schema.of(field), values.size(), List.of(values));
  }

  static Field field(ArrowType type, Field... children) {
    return Field.of("c", true, type, children);
  }

  static Field named(String name, ArrowType type, Field... children) {
    return Field.of(name, true, type, children);
  }

  static Field encoded(ArrowType.Int indexType) {
    return field(UTF8).withDictionary(new DictionaryEncoding(7, indexType, false));
  }

  static BigInteger big(String digits) {
    return new BigInteger(digits);
  }
}
