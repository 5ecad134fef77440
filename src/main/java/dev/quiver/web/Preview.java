package dev.quiver.web;

import dev.quiver.columnar.Array;
import dev.quiver.columnar.RecordBatch;
import dev.quiver.columnar.Schema;
import dev.quiver.ipc.StreamReader;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.InputException;
import dev.quiver.memory.Limits;
import dev.quiver.memory.LittleEndian;
import dev.quiver.validate.Level;
import dev.quiver.validate.Validator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The first rows of a small dataset, for the page.
///
/// @param columns with the type of each
/// @param rows as text, a null cell as null
record Preview(List<Column> columns, List<List<@Nullable String>> rows) {

  private static final int BATCH_LIMIT = 3;
  private static final int ROW_LIMIT = 40;
  private static final int COLUMN_LIMIT = 20;

  /// More than this is not read for the sake of a few rows.
  private static final long BYTE_LIMIT = 1 << 20;

  record Column(String name, String type) {}

  /// The first rows of the first batches; null when there are none, or none that are small.
  static @Nullable Preview of(Versions versions) throws IOException {
    long batchCount = versions.snapshot().summary().batches();
    long shown = Math.min(batchCount, BATCH_LIMIT);
    if (shown == 0) {
      return null;
    }
    Content content = versions.batches(0, shown - 1).content();
    return content.byteSize() > BYTE_LIMIT ? null : read(content);
  }

  private static @Nullable Preview read(Content content) throws IOException {
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    for (Piece piece : content.pieces()) {
      piece.writeTo(segment -> stream.writeBytes(segment.toArray(LittleEndian.INT8)));
    }
    ByteSource source = ByteSource.of(MemorySegment.ofArray(stream.toByteArray()));
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (StreamReader reader = new StreamReader(source, Limits.DEFAULT)) {
      for (RecordBatch batch = reader.next(); batch != null; batch = reader.next()) {
        if (!Validator.validate(batch, Level.VALUES).isEmpty()) {
          return null;
        }
        addRows(batch, rows);
      }
      return new Preview(columns(reader.schema()), rows);
    } catch (InputException notReadable) {
      return null;
    }
  }

  private static List<Column> columns(Schema schema) {
    return schema.fields().stream()
        .limit(COLUMN_LIMIT)
        .map(field -> new Column(field.name(), field.type().toString()))
        .toList();
  }

  private static void addRows(RecordBatch batch, List<List<@Nullable String>> rows) {
    List<Array> columns = batch.columns().stream().limit(COLUMN_LIMIT).map(Array::of).toList();
    for (long slot = 0; slot < batch.length() && rows.size() < ROW_LIMIT; slot++) {
      List<@Nullable String> cells = new ArrayList<>();
      for (Array column : columns) {
        cells.add(column.isNull(slot) ? null : CellText.of(column, slot));
      }
      rows.add(cells);
    }
  }
}
