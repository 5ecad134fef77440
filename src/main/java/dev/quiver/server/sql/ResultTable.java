package dev.quiver.server.sql;

import dev.quiver.arrow.array.RecordBatch;
import dev.quiver.arrow.terminal.TerminalTable;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.server.transfer.StreamingBody;
import dev.quiver.sql.execution.ResultBatches;
import dev.quiver.store.blob.BlobSink;
import java.io.IOException;

/// The result of a statement as a table for a terminal, which is sent once all of its rows are
/// counted.
record ResultTable(TerminalTable table) implements StreamingBody {

  /// Reads a result to its end.
  ///
  /// @param text the form of text
  static ResultTable of(ResultBatches batches, TextOptions text, TerminalTable.Form form)
      throws IOException {
    TerminalTable table = new TerminalTable(batches.schema(), text, form);
    for (RecordBatch batch = batches.next(); batch != null; batch = batches.next()) {
      table.add(batch);
    }
    return new ResultTable(table);
  }

  @Override
  public void writeTo(BlobSink sink) throws IOException {
    table.writeTo(sink::write);
  }
}
