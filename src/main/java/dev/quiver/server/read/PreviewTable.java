package dev.quiver.server.read;

import dev.quiver.server.pages.Html;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The first rows of a dataset as an HTML fragment.
public final class PreviewTable {

  private PreviewTable() {}

  /// @param preview null for no rows, which renders as nothing
  public static String render(String title, @Nullable Preview preview) {
    if (preview == null) {
      return "";
    }
    String header =
        preview.columns().stream()
            .map(column ->
                "<th>%s<small>%s</small>"
                    .formatted(Html.escape(column.name()), Html.escape(column.type())))
            .collect(Collectors.joining());
    String rows =
        preview.rows().stream()
            .map(row ->
                row.stream().map(PreviewTable::cell).collect(Collectors.joining("", "<tr>", "\n")))
            .collect(Collectors.joining());
    return """
    <h2>%s</h2>
    <div class="scroll" tabindex="0"><table class="rows">
    <tr>%s
    %s</table></div>\
    """
        .formatted(Html.escape(title), header, rows);
  }

  private static String cell(@Nullable String text) {
    return text == null ? "<td class=\"null\">null" : "<td>" + Html.escape(text);
  }
}
