package dev.quiver.arrow.text;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.memory.Limit;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The text of consecutive rows, which one thread writes to memory and another one sends. A piece
/// is used for one range of rows after the other, by one thread at a time.
final class TextPiece {

  /// The maximum size of the text, for which it pays to wake a thread.
  static final int BYTE_SIZE = 64 << 10;

  private static final Limit UNLIMITED = new Limit("bytes of a piece", Long.MAX_VALUE);

  private final Function<List<ArrayData>, SlotWriter> rows;
  private final PreparedText beforeRow;
  private final TextOutput output;
  private @Nullable List<ArrayData> columns;
  private SlotWriter row = (_, _) -> {};
  private long from;
  private long to;
  private boolean fits;

  /// @param rows returns a writer of rows
  /// @param beforeRow the text before each row
  /// @param byteSize the maximum size of the text
  TextPiece(Function<List<ArrayData>, SlotWriter> rows, PreparedText beforeRow, int byteSize) {
    this.rows = rows;
    this.beforeRow = beforeRow;
    this.output =
        new TextOutput(
            _ -> {
              throw FullException.INSTANCE;
            },
            UNLIMITED,
            byteSize);
  }

  /// Writes rows, or a part of them if their text is too long.
  ///
  /// @param columns usable by any thread; the same list for all pieces of a batch
  TextPiece write(List<ArrayData> columns, long from, long to) throws IOException {
    if (this.columns != columns) {
      this.columns = columns;
      this.row = rows.apply(columns);
    }
    this.from = from;
    this.to = to;
    output.clear();
    try {
      for (long slot = from; slot < to; slot++) {
        output.put(beforeRow);
        row.write(slot, output);
      }
      fits = true;
    } catch (FullException e) {
      fits = false;
    }
    return this;
  }

  /// Returns whether the text has all of the rows.
  boolean fits() {
    return fits;
  }

  long from() {
    return from;
  }

  /// Returns the row after the last one.
  long to() {
    return to;
  }

  TextOutput output() {
    return output;
  }

  /// Text that exceeds the memory of a piece.
  private static final class FullException extends IOException {

    private static final FullException INSTANCE = new FullException();

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }
}
