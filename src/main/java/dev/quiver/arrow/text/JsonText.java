package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Single slots as JSON, in the form that they have in rows.
public final class JsonText {

  private static final Limit UNLIMITED = new Limit("JSON of a slot", Long.MAX_VALUE);

  private JsonText() {}

  /// Returns a small value.
  public static String of(ArrayData array, long slot, JsonNumbers numbers) {
    return of(array, slot, TextOptions.whole(numbers));
  }

  /// Returns a value that is small, or cut.
  public static String of(ArrayData array, long slot, TextOptions options) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    TextOutput output =
        new TextOutput(
            segment -> text.writeBytes(segment.toArray(LittleEndian.INT8)),
            UNLIMITED,
            TextOutput.BUFFER_BYTE_SIZE_MIN);
    try {
      new JsonValues(options, JsonStrings.PLAIN).of(array.field()).of(array).write(slot, output);
      output.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString(StandardCharsets.UTF_8);
  }
}
