package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.type.Schema;
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
  private static final PreparedText BYTE_ORDER_MARK =
      PreparedText.of(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF});

  private final TextFormat format;
  private final TextOutput output;
  private final Function<List<ArrayData>, SlotWriter> rows;

  /// Whether the rows are a member of an object.
  private final boolean isEnveloped;

  private long rowCount;

  private Renderer(
      TextFormat format,
      TextOutput output,
      Function<List<ArrayData>, SlotWriter> rows,
      boolean isEnveloped) {
    this.format = format;
    this.output = output;
    this.rows = rows;
    this.isEnveloped = isEnveloped;
  }

  /// Starts a text.
  ///
  /// @param limit the maximum size of the whole text
  public static Renderer begin(
      TextFormat format, TextOptions options, Schema schema, ByteSink sink, Limit limit)
      throws IOException {
    TextOutput output = new TextOutput(sink, limit, BUFFER_BYTE_SIZE);
    if (format == TextFormat.JSON && options.envelope()) {
      Renderer renderer = ofObjects(format, options, schema, output);
      renderer.placed(() -> JsonEnvelope.open(schema.fields(), output));
      return renderer;
    }
    output.put(format.opening());
    return switch (format) {
      case JSON, JSON_LINES -> ofObjects(format, options, schema, output);
      case CSV, TSV -> {
        if (options.byteOrderMark()) {
          output.put(BYTE_ORDER_MARK);
        }
        CellRows cells = cells(format, options, schema);
        Renderer renderer = new Renderer(format, output, cells::of, /* isEnveloped= */ false);
        renderer.placed(() -> cells.writeHeader(output));
        yield renderer;
      }
    };
  }

  private static Renderer ofObjects(
      TextFormat format, TextOptions options, Schema schema, TextOutput output) {
    JsonValues values = new JsonValues(options, JsonStrings.PLAIN);
    boolean isEnveloped = format == TextFormat.JSON && options.envelope();
    return new Renderer(format, output, values.members(schema.fields())::of, isEnveloped);
  }

  private static CellRows cells(TextFormat format, TextOptions options, Schema schema) {
    return new CellRows(CellStyle.of(format, options.texts()), schema.fields(), options);
  }

  /// Writes the rows of a batch of the schema.
  ///
  /// @throws TooLargeInputException if the text exceeds the limit; the output written so far does
  ///   not
  public void write(RecordBatch batch) throws IOException {
    placed(() -> {
      SlotWriter row = rows.apply(batch.columns());
      PreparedText beforeFirst = PreparedText.of(format.beforeFirstRow());
      PreparedText between = PreparedText.of(format.betweenRows());
      for (long slot = 0; slot < batch.length(); slot++) {
        output.put(rowCount == 0 ? beforeFirst : between);
        row.write(slot, output);
        rowCount++;
      }
    });
  }

  /// Ends the text.
  ///
  /// @throws TooLargeInputException as [#write(RecordBatch)]
  public void end() throws IOException {
    placed(() -> {
      if (isEnveloped) {
        JsonEnvelope.close(rowCount, output);
      } else {
        output.put(rowCount == 0 ? format.closingWithoutRows() : format.closing());
      }
      output.flush();
    });
  }

  /// Checks that a number of rows can fit within the limit before any is written. Batches of few
  /// bytes may have very many rows.
  ///
  /// @throws TooLargeInputException if they cannot
  public void requireRoom(long rows) {
    int byteSize = format.rowByteSizeMinimum();
    long maximum = Long.MAX_VALUE / byteSize;
    if (rows > maximum) {
      throw new IllegalArgumentException(
          "Expected at most %d rows but found %d".formatted(maximum, rows));
    }
    output
        .limit()
        .check(
            rows * byteSize,
            "bytes of rendered text",
            InputLocation.detail("%d rows of %d bytes or more".formatted(rows, byteSize)));
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
