package dev.quiver.render;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;
import dev.quiver.input.TooLargeInputException;
import dev.quiver.memory.ByteSink;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/// A writer of record batches as text, batch by batch, in constant memory.
///
/// Batches must be valid, including their dictionaries. Every value has a text, even one outside
/// its type's domain. Not thread-safe.
///
/// A change of the bytes for the same data requires another number in entity tags (`TagVariant`).
public final class Renderer {

  private static final int BUFFER_BYTE_SIZE = 32 << 10;

  /// The size of the end of a line of CSV, or of the braces of an object.
  private static final int ROW_BYTE_SIZE_MINIMUM = 2;

  private final TextFormat format;
  private final TextOutput output;
  private final Function<List<ArrayData>, SlotWriter> rows;
  private long rowCount;

  private Renderer(
      TextFormat format, TextOutput output, Function<List<ArrayData>, SlotWriter> rows) {
    this.format = format;
    this.output = output;
    this.rows = rows;
  }

  /// Starts a text.
  ///
  /// @param limit the maximum size of the whole text
  public static Renderer begin(
      TextFormat format, Numbers numbers, Schema schema, ByteSink sink, Limit limit)
      throws IOException {
    TextOutput output = new TextOutput(sink, limit, BUFFER_BYTE_SIZE);
    output.put(format.opening());
    return switch (format) {
      case JSON, JSON_LINES -> {
        JsonValues values = new JsonValues(numbers, new JsonStrings("\""));
        yield new Renderer(format, output, values.members(schema.fields())::of);
      }
      case CSV -> {
        CsvRows rows = new CsvRows(schema.fields(), numbers);
        Renderer renderer = new Renderer(format, output, rows::of);
        renderer.placed(() -> rows.writeHeader(output));
        yield renderer;
      }
    };
  }

  /// Writes the rows of a batch of the schema.
  ///
  /// @throws TooLargeInputException if the text exceeds the limit; the output written so far does
  ///   not
  public void write(RecordBatch batch) throws IOException {
    placed(() -> {
      SlotWriter row = rows.apply(batch.columns());
      Literal beforeFirst = Literal.of(format.beforeFirstRow());
      Literal between = Literal.of(format.betweenRows());
      for (long slot = 0; slot < batch.length(); slot++) {
        output.put(rowCount == 0 ? beforeFirst : between);
        row.write(slot, output);
        rowCount++;
      }
    });
  }

  /// Ends the text.
  ///
  /// @throws TooLargeInputException if the text exceeds the limit; the output written so far does
  ///   not
  public void end() throws IOException {
    placed(() -> {
      output.put(rowCount == 0 ? format.closingWithoutRows() : format.closing());
      output.flush();
    });
  }

  /// Checks that a number of rows can fit within the limit before any is written. Batches of few
  /// bytes may have very many rows.
  ///
  /// @throws TooLargeInputException if they cannot
  public void requireRoom(long rows) {
    long maximum = Long.MAX_VALUE / ROW_BYTE_SIZE_MINIMUM;
    if (rows > maximum) {
      throw new IllegalArgumentException(
          "Expected at most %d rows but found %d".formatted(maximum, rows));
    }
    output
        .limit()
        .check(
            rows * ROW_BYTE_SIZE_MINIMUM,
            "bytes of rendered text",
            InputLocation.detail(
                "%d rows of %d bytes or more".formatted(rows, ROW_BYTE_SIZE_MINIMUM)));
  }

  private interface Step {
    void run() throws IOException;
  }

  private void placed(Step step) throws IOException {
    try {
      step.run();
    } catch (TooLargeInputException e) {
      throw e.within(InputLocation.detail("row " + rowCount));
    }
  }
}
