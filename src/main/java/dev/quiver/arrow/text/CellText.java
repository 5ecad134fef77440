package dev.quiver.arrow.text;

import dev.quiver.arrow.array.Array;
import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.memory.TooLargeInputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// The values of a column as text for HTML pages: as in CSV but without quotation marks. Long
/// values are truncated, and their rest is not read.
public final class CellText {

  private static final int MAXIMUM_CHARACTERS = 120;

  /// A character has at most four bytes; one more shows that text follows.
  private static final Limit MAXIMUM_BYTES = new Limit("cell", 4 * MAXIMUM_CHARACTERS + 4);

  private final Array array;
  private final SlotWriter cells;

  /// @param column a valid column, with its dictionary
  public CellText(ArrayData column, TextOptions options) {
    this.array = Array.of(column);
    this.cells = new CellValues(CellStyle.PLAIN, options).of(column.field()).of(column);
  }

  /// @return the text of a slot, or null if it is null
  public @Nullable String get(long slot) {
    if (isNull(array, slot)) {
      return null;
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TextOutput output =
        new TextOutput(
            part -> bytes.writeBytes(part.toArray(LittleEndian.INT8)),
            MAXIMUM_BYTES,
            TextOutput.BUFFER_BYTE_SIZE_MIN);
    try {
      cells.write(slot, output);
      output.flush();
    } catch (TooLargeInputException longer) {
      bytes.writeBytes(output.pending().toArray(LittleEndian.INT8));
    } catch (IOException e) {
      throw new AssertionError("bytes in memory", e);
    }
    return Excerpt.of(bytes.toString(StandardCharsets.UTF_8), MAXIMUM_CHARACTERS);
  }

  private static boolean isNull(Array array, long slot) {
    return switch (array) {
      case Array.DictionaryEncoded encoded ->
          encoded.isNull(slot) || isNull(encoded.dictionary(), encoded.index(slot));
      case Array.RunEndEncoded runs -> isNull(runs.values(), runs.run(slot));
      case Array.Union _ -> false;
      case Array.Null _,
          Array.Bool _,
          Array.FixedWidth _,
          Array.VariableBinary _,
          Array.BinaryView _,
          Array.Lists _,
          Array.Struct _ ->
          array.isNull(slot);
    };
  }
}
