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

  private final Array array;
  private final SlotWriter cells;
  private final int characterMaximum;
  private final Limit byteMaximum;

  /// @param column a valid column, with its dictionary
  public CellText(ArrayData column, TextOptions options) {
    this(column, options, MAXIMUM_CHARACTERS);
  }

  /// @param column a valid column, with its dictionary
  /// @param characterMaximum the number of characters after which a value is truncated
  public CellText(ArrayData column, TextOptions options, int characterMaximum) {
    this.characterMaximum = characterMaximum;
    // A character has at most four bytes; one more shows that text follows.
    this.byteMaximum = new Limit("cell", 4L * characterMaximum + 4);
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
            byteMaximum,
            TextOutput.BUFFER_BYTE_SIZE_MIN);
    try {
      cells.write(slot, output);
      output.flush();
    } catch (TooLargeInputException longer) {
      bytes.writeBytes(output.pending().toArray(LittleEndian.INT8));
    } catch (IOException e) {
      throw new AssertionError("bytes in memory", e);
    }
    return Excerpt.of(bytes.toString(StandardCharsets.UTF_8), characterMaximum);
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
