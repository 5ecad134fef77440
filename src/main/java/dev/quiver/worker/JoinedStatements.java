package dev.quiver.worker;

import dev.quiver.columnar.ArrayData;
import dev.quiver.columnar.Field;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.engine.SqlException;
import dev.quiver.transform.RowRange;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Statements with the same rows in the same order, as batches with the columns of all. Each is
/// read by a thread of its own. Used by one thread.
final class JoinedStatements implements AutoCloseable {

  /// The present batch of one statement.
  private static final class Part {

    private final StatementReader reader;
    private StatementReader.@Nullable Read read;
    private long row;

    Part(StatementReader reader) {
      this.reader = reader;
    }

    /// Returns the number of rows that are left, which is 0 at the end alone.
    long rowCount() throws InterruptedException {
      while (read == null || read.rows() != null && row == read.rows().length()) {
        free();
        read = reader.next();
      }
      return read.rows() == null ? 0 : read.rows().length() - row;
    }

    List<ArrayData> take(long count, SegmentAllocator allocator) {
      RecordBatch rows = read == null ? null : read.rows();
      if (rows == null) {
        throw new IllegalStateException("The statement has no rows");
      }
      RecordBatch taken =
          count == rows.length() ? rows : new RowRange(row, count).of(rows, allocator);
      row += count;
      return taken.columns();
    }

    private void free() {
      if (read != null) {
        read.close();
        read = null;
        row = 0;
      }
    }
  }

  private final List<Part> parts = new ArrayList<>();
  private @Nullable Schema schema;

  /// Adds the columns of a statement.
  ///
  /// @param reader closed with this
  void add(StatementReader reader) {
    parts.add(new Part(reader));
  }

  /// Waits for the columns of all statements.
  ///
  /// @throws SqlException if a statement cannot be prepared
  Schema schema() {
    if (schema == null) {
      schema =
          Schema.of(
              parts.stream()
                  .flatMap(part -> part.reader.schema().fields().stream())
                  .toArray(Field[]::new));
    }
    return schema;
  }

  /// Returns the next rows, which live until the next call, or null at the end.
  ///
  /// @param allocator for copies, until the next call
  /// @throws SqlException if a statement fails
  @Nullable RecordBatch next(SegmentAllocator allocator) throws InterruptedException {
    long count = Long.MAX_VALUE;
    long countMaximum = 0;
    for (Part part : parts) {
      long left = part.rowCount();
      count = Math.min(count, left);
      countMaximum = Math.max(countMaximum, left);
    }
    if (countMaximum == 0) {
      return null;
    }
    if (count == 0) {
      throw new SqlException(
          SqlException.Kind.FATAL, "Expected statements with the same rows but found fewer in one");
    }
    List<ArrayData> columns = new ArrayList<>();
    for (Part part : parts) {
      columns.addAll(part.take(count, allocator));
    }
    return new RecordBatch(schema(), count, columns);
  }

  @Override
  public void close() {
    Throwable failure = null;
    for (Part part : parts) {
      try {
        part.reader.close();
      } catch (RuntimeException | Error e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    switch (failure) {
      case null -> {}
      case Error error -> throw error;
      default -> throw (RuntimeException) failure;
    }
  }
}
