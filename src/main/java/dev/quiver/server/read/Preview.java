package dev.quiver.server.read;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.text.CellText;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.type.Schema;
import dev.quiver.store.file.BatchEntry;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.SelectedVersion;
import dev.quiver.store.read.Selection;
import dev.quiver.store.read.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The first rows of a dataset, for a page.
///
/// @param columns the name and type of each column
/// @param rows the cells as text; null for a null cell
public record Preview(List<Column> columns, List<List<@Nullable String>> rows) {

  /// The maximum number of batches of consecutive rows. Batches of a sample may have one row each.
  private static final int BATCH_LIMIT = 3;

  private static final int ROW_LIMIT = 40;
  private static final int COLUMN_LIMIT = 20;
  private static final int TEXT_CHARACTER_LIMIT = 120;

  /// The maximum size of data that is read for a few rows.
  private static final long BYTE_LIMIT = 32 << 20;

  public record Column(String name, String type) {}

  /// Returns the first rows of the first batches, or null without rows or if the first batch is
  /// large.
  public static @Nullable Preview of(Snapshot snapshot) throws IOException {
    return of(snapshot, snapshot.select(Selection.ALL), TextOptions.DEFAULT);
  }

  /// Returns the first selected rows, as [#of(Snapshot)] does.
  static @Nullable Preview of(Snapshot snapshot, SelectedVersion selected, TextOptions options)
      throws IOException {
    List<BatchEntry> shown = shown(snapshot, selected);
    if (shown.isEmpty()) {
      return null;
    }
    List<List<@Nullable String>> rows = new ArrayList<>();
    try (DecodedBatches batches = selected.decodedBatches()) {
      for (int i = 0; i < shown.size() && rows.size() < ROW_LIMIT; i++) {
        addRows(batches.read(i), options, rows);
      }
    }
    return new Preview(columns(selected.schema()), rows);
  }

  private static List<BatchEntry> shown(Snapshot snapshot, SelectedVersion selected)
      throws IOException {
    long byteSize = snapshot.footer().dictionaries().stream().mapToLong(Block::byteSize).sum();
    List<BatchEntry> shown = new ArrayList<>();
    int count = (int) Math.min(selected.batches(), selected.isSample() ? ROW_LIMIT : BATCH_LIMIT);
    for (int i = 0; i < count; i++) {
      BatchEntry batch = snapshot.batches(selected.storedBatch(i), 1).getFirst();
      byteSize += Math.max(batch.block().byteSize(), batch.uncompressedByteSize());
      if (byteSize > BYTE_LIMIT) {
        break;
      }
      shown.add(batch);
    }
    return shown;
  }

  private static List<Column> columns(Schema schema) {
    return schema.fields().stream()
        .limit(COLUMN_LIMIT)
        .map(field ->
            new Column(
                Excerpt.of(field.name(), TEXT_CHARACTER_LIMIT),
                Excerpt.of(field.typeName(), TEXT_CHARACTER_LIMIT)))
        .toList();
  }

  private static void addRows(
      RecordBatch batch, TextOptions options, List<List<@Nullable String>> rows) {
    List<CellText> columns =
        batch.columns().stream()
            .limit(COLUMN_LIMIT)
            .map(column -> new CellText(column, options))
            .toList();
    for (long slot = 0; slot < batch.length() && rows.size() < ROW_LIMIT; slot++) {
      List<@Nullable String> cells = new ArrayList<>();
      for (CellText column : columns) {
        cells.add(column.get(slot));
      }
      rows.add(cells);
    }
  }
}
