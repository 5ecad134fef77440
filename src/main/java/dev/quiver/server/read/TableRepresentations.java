package dev.quiver.server.read;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.terminal.TerminalTable;
import dev.quiver.arrow.text.TextOptions;
import dev.quiver.arrow.transform.InvalidColumnsException;
import dev.quiver.formats.Format;
import dev.quiver.server.http.TagVariant;
import dev.quiver.server.transfer.BodySource;
import dev.quiver.server.transfer.Representation;
import dev.quiver.store.read.DecodedBatches;
import dev.quiver.store.read.SelectedVersion;
import java.io.IOException;
import java.util.Map;

/// The representation of one version as a table for a terminal.
public record TableRepresentations(VersionRepresentations versions) {

  /// Returns the first and the last of the selected rows as a table.
  ///
  /// @throws InvalidColumnsException if a column is missing
  public Representation table(ReadParameters parameters, TerminalTable.Form form)
      throws IOException {
    SelectedVersion selected = versions.snapshot().select(parameters.selection());
    Map<String, String> headers =
        versions.headers(Format.TABLE, parameters, selected.rows(), selected.batches());
    TagVariant variant = TagVariant.table(parameters.text(), form).selected(selected.id());
    BodySource body =
        new BodySource.Document(output ->
            table(selected, parameters.text(), form)
                .writeTo(text -> output.write(text.toArray(LittleEndian.INT8))));
    return versions.of(Format.TABLE.mediaType(), variant, headers, body).asText();
  }

  /// Reads only the batches that have the first and the last rows.
  private static TerminalTable table(
      SelectedVersion selected, TextOptions options, TerminalTable.Form form) throws IOException {
    TerminalTable table = new TerminalTable(selected.schema(), options, form);
    try (DecodedBatches batches = selected.decodedBatches()) {
      long lastBegin = Math.max(0, selected.rows() - form.lastRows());
      int count = Math.toIntExact(batches.count());
      for (int i = 0; i < count; i++) {
        long begin = batches.rowsBefore(i);
        long end = batches.rowsBefore(i + 1);
        if (begin < form.firstRows() || end > lastBegin) {
          table.add(batches.read(i));
        } else {
          table.skip(end - begin);
        }
      }
    }
    return table;
  }
}
