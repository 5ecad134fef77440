package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.memory.TooLargeInputException;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.arrow.parallel.TaskQueue;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;

/// A writer of record batches as text, batch by batch, in constant memory.
///
/// Batches must be valid, including their dictionaries. Every value has a text, even one outside
/// its type's domain. Used by one thread, which several others help with large batches: each writes
/// the text of some rows to a [TextPiece] of its own.
///
/// A change of the bytes for the same data requires another number in entity tags (`TagVariant`).
public final class Renderer {

  private static final int BUFFER_BYTE_SIZE = 32 << 10;
  private static final PreparedText BYTE_ORDER_MARK =
      PreparedText.of(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF});

  /// The rows of a batch that tell how long the next ones may be.
  private static final int SAMPLE_ROWS = 32;

  /// The maximum number of pieces, so that a response has at most a MiB in memory.
  private static final int PIECES_MAXIMUM = 16;

  /// The number of fields above which one thread writes, since each needs memory for every field.
  private static final int WIDE_SCHEMA_FIELDS = 1_000;

  private final TextFormat format;
  private final PreparedText beforeFirstRow;
  private final PreparedText betweenRows;
  private final TextOutput output;
  private final Function<List<ArrayData>, SlotWriter> rows;

  /// Whether the rows are a member of an object.
  private final boolean isEnveloped;

  private final Helpers helpers;
  private final Deque<TextPiece> freePieces = new ArrayDeque<>();
  private long rowCount;

  private Renderer(
      TextFormat format,
      TextOutput output,
      Function<List<ArrayData>, SlotWriter> rows,
      boolean isEnveloped,
      Helpers helpers) {
    this.format = format;
    this.beforeFirstRow = PreparedText.of(format.beforeFirstRow());
    this.betweenRows = PreparedText.of(format.betweenRows());
    this.output = output;
    this.rows = rows;
    this.isEnveloped = isEnveloped;
    this.helpers = helpers;
  }

  /// Starts a text.
  ///
  /// @param limit the maximum size of the whole text
  public static Renderer begin(
      TextFormat format, TextOptions options, Schema schema, ByteSink sink, Limit limit)
      throws IOException {
    boolean isWide = fieldCount(schema.fields()) > WIDE_SCHEMA_FIELDS;
    CpuPool pool = isWide ? CpuPool.SINGLE : CpuPool.PROCESS;
    return begin(format, options, schema, sink, limit, new Helpers(pool, TextPiece.BYTE_SIZE));
  }

  private static int fieldCount(List<Field> fields) {
    return fields.stream().mapToInt(field -> 1 + fieldCount(field.children())).sum();
  }

  /// The threads that help with large batches.
  ///
  /// @param pieceByteSize the maximum size of the text of a piece
  record Helpers(CpuPool pool, int pieceByteSize) {}

  static Renderer begin(
      TextFormat format,
      TextOptions options,
      Schema schema,
      ByteSink sink,
      Limit limit,
      Helpers helpers)
      throws IOException {
    TextOutput output = new TextOutput(sink, limit, BUFFER_BYTE_SIZE);
    if (format == TextFormat.JSON && options.envelope()) {
      Renderer renderer = ofObjects(format, options, schema, output, helpers);
      renderer.placed(() -> JsonEnvelope.open(schema.fields(), output));
      return renderer;
    }
    output.put(format.opening());
    return switch (format) {
      case JSON, JSON_LINES -> ofObjects(format, options, schema, output, helpers);
      case CSV, TSV -> {
        if (options.byteOrderMark()) {
          output.put(BYTE_ORDER_MARK);
        }
        CellRows cells = cells(format, options, schema);
        Renderer renderer =
            new Renderer(format, output, cells::of, /* isEnveloped= */ false, helpers);
        renderer.placed(() -> cells.writeHeader(output));
        yield renderer;
      }
    };
  }

  private static Renderer ofObjects(
      TextFormat format, TextOptions options, Schema schema, TextOutput output, Helpers helpers) {
    JsonValues values = new JsonValues(options, JsonStrings.PLAIN);
    boolean isEnveloped = format == TextFormat.JSON && options.envelope();
    return new Renderer(format, output, values.members(schema.fields())::of, isEnveloped, helpers);
  }

  private static CellRows cells(TextFormat format, TextOptions options, Schema schema) {
    return new CellRows(CellStyle.of(format, options.texts()), schema.fields(), options);
  }

  /// Writes the rows of a batch of the schema. Afterwards no thread uses its memory.
  ///
  /// @throws TooLargeInputException if the text exceeds the limit; the output written so far does
  ///   not
  public void write(RecordBatch batch) throws IOException {
    placed(() -> {
      SlotWriter row = rows.apply(batch.columns());
      long sample = Math.min(batch.length(), SAMPLE_ROWS);
      long before = output.position();
      write(row, 0, sample);
      double bytesPerRow = (double) (output.position() - before) / sample;
      long rest = batch.length() - sample;
      if (helpers.pool.count() == 1 || rest <= rowsOfPiece(bytesPerRow)) {
        write(row, sample, batch.length());
      } else {
        writePieces(batch, row, sample, bytesPerRow);
      }
    });
  }

  private void write(SlotWriter row, long from, long to) throws IOException {
    for (long slot = from; slot < to; slot++) {
      output.put(rowCount == 0 ? beforeFirstRow : betweenRows);
      row.write(slot, output);
      rowCount++;
    }
  }

  /// Writes the rows of a batch from `from` on, several pieces at a time.
  ///
  /// @param row the writer for this thread
  /// @param sampledBytesPerRow the size of the rows before
  private void writePieces(RecordBatch batch, SlotWriter row, long from, double sampledBytesPerRow)
      throws IOException {
    List<ArrayData> columns = batch.withBuffers(CpuPool::lent).columns();
    int count = Math.min(2 * helpers.pool.count(), PIECES_MAXIMUM);
    Deque<TaskQueue.Result<TextPiece>> begun = new ArrayDeque<>(count);
    double bytesPerRow = sampledBytesPerRow;
    long next = from;
    try (TaskQueue queue = helpers.pool.queue()) {
      while (next < batch.length() || !begun.isEmpty()) {
        while (next < batch.length() && begun.size() < count) {
          TextPiece piece = freePieces.isEmpty() ? newPiece() : freePieces.removeLast();
          long start = next;
          long end = Math.min(batch.length(), start + rowsOfPiece(bytesPerRow));
          begun.add(queue.submit(() -> piece.write(columns, start, end)));
          next = end;
        }
        TextPiece piece = begun.removeFirst().await();
        long before = output.position();
        if (piece.fits() && output.tryPut(piece.output())) {
          rowCount += piece.to() - piece.from();
        } else {
          write(row, piece.from(), piece.to());
        }
        bytesPerRow = (double) (output.position() - before) / (piece.to() - piece.from());
        freePieces.add(piece);
      }
    }
  }

  private TextPiece newPiece() {
    return new TextPiece(rows, betweenRows, helpers.pieceByteSize);
  }

  /// Returns the number of rows of a piece, with room for rows that are longer than those before.
  private long rowsOfPiece(double bytesPerRow) {
    return Math.max(1, (long) (0.75 * helpers.pieceByteSize / bytesPerRow));
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
