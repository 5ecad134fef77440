package dev.quiver.sql.engine;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.type.Schema;
import dev.quiver.sql.library.Library;
import dev.quiver.sql.library.Vectors;
import dev.quiver.sql.vector.ColumnBuilder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A reader of a running statement's rows, which arrive in chunks of a few thousand, as batches.
final class ResultReader {

  private static final int ROW_COUNT_MAXIMUM = 64 << 10;
  private static final long BYTE_SIZE_MAXIMUM = 8 << 20;

  private final Library library;
  private final Schema schema;
  private final List<ColumnBuilder> columns;
  private final MemorySegment result;
  private long chunk;
  private int row;
  private int rowCount;

  ResultReader(Library library, Schema schema, List<ColumnBuilder> columns, MemorySegment result) {
    this.library = library;
    this.schema = schema;
    this.columns = columns;
    this.result = result;
  }

  /// Returns the next rows, or null at the end.
  ///
  /// @throws EngineException if the statement fails
  @Nullable RecordBatch next(StatementTables tables, SegmentAllocator allocator) {
    long length = 0;
    long byteSize = 0;
    while (length < ROW_COUNT_MAXIMUM && (row < rowCount || fetch(tables))) {
      int count = (int) Math.min(rowCount - row, ROW_COUNT_MAXIMUM - length);
      long added = byteSize(count);
      while (added > BYTE_SIZE_MAXIMUM - byteSize && count > 1) {
        count >>= 1;
        added = byteSize(count);
      }
      if (added > BYTE_SIZE_MAXIMUM - byteSize && length > 0) {
        break;
      }
      for (ColumnBuilder column : columns) {
        column.append(row, count, allocator);
      }
      row += count;
      length += count;
      byteSize += added;
    }
    if (length == 0) {
      return null;
    }
    List<ArrayData> arrays = columns.stream().map(ColumnBuilder::take).toList();
    return new RecordBatch(schema, length, arrays);
  }

  private long byteSize(int count) {
    long byteSize = 0;
    for (ColumnBuilder column : columns) {
      byteSize += column.byteSize(row, count);
    }
    return byteSize;
  }

  /// Fetches the next chunk with rows. Returns whether there is one.
  private boolean fetch(StatementTables tables) {
    Vectors vectors = library.vectors();
    do {
      close();
      chunk = library.statements().fetch(result);
      if (chunk == 0) {
        String error = library.statements().resultError(result.address());
        if (error != null && !error.isEmpty()) {
          throw EngineErrors.of(error, tables.failure());
        }
        return false;
      }
      rowCount = (int) vectors.rowCount(chunk);
    } while (rowCount == 0);
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).attach(vectors.column(chunk, i));
    }
    return true;
  }

  /// Frees the chunk.
  void close() {
    if (chunk != 0) {
      library.vectors().releaseChunk(chunk);
      chunk = 0;
      row = 0;
      rowCount = 0;
    }
  }
}
