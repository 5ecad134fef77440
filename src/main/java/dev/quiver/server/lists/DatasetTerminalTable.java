package dev.quiver.server.lists;

import dev.quiver.arrow.array.ArrayData;
import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.terminal.TerminalTable;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.type.Field;
import dev.quiver.arrow.type.Schema;
import dev.quiver.server.transfer.StreamingBody;
import dev.quiver.store.blob.BlobSink;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/// The list of datasets as a table for a terminal, with the columns that people ask for first.
record DatasetTerminalTable(DatasetSource datasets, TerminalTable.Form form)
    implements StreamingBody {

  private static final Set<String> NAMES =
      Set.of("name", "version", "rows", "bytes", "modified", "expires");

  /// The positions of the columns in the whole table.
  private static final List<Integer> POSITIONS =
      IntStream.range(0, DatasetTable.SCHEMA.fields().size())
          .filter(i -> NAMES.contains(DatasetTable.SCHEMA.fields().get(i).name()))
          .boxed()
          .toList();

  private static final Schema SCHEMA =
      Schema.of(POSITIONS.stream().map(DatasetTable.SCHEMA.fields()::get).toArray(Field[]::new));

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    TerminalTable table = new TerminalTable(SCHEMA, TextOptions.DEFAULT, form);
    datasets.list(page -> {
      try (Arena arena = Arena.ofConfined()) {
        RecordBatch whole = DatasetTable.batch(page, arena);
        List<ArrayData> columns = POSITIONS.stream().map(whole.columns()::get).toList();
        table.add(new RecordBatch(SCHEMA, whole.length(), columns, whole.customMetadata()));
      }
    });
    table.writeTo(sink::write);
  }
}
