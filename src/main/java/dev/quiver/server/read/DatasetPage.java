package dev.quiver.server.read;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.type.Field;
import dev.quiver.formats.Format;
import dev.quiver.server.http.EntityTag;
import dev.quiver.server.pages.Html;
import dev.quiver.server.pages.PageTemplate;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Documents;
import dev.quiver.server.resource.Paths;
import dev.quiver.store.read.SelectedVersion;
import dev.quiver.store.read.Snapshot;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.Lineage;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The page of one version: its counts, its formats, and the schema and first rows of the selected
/// columns and rows.
///
/// A change that yields a different page for the same version needs a new number in `TagVariant`.
///
/// @param lineage the statement that computed the rows, or null if it is not shown
/// @param parameters of the request, which links to other formats keep
/// @param queryable whether the page leads to statements
record DatasetPage(
    DatasetReference reference,
    Snapshot snapshot,
    @Nullable Lineage lineage,
    SelectedVersion selected,
    ReadParameters parameters,
    boolean queryable) {

  private static final int FIELD_LIMIT = 1000;
  private static final int STATEMENT_ROW_LIMIT = 1000;
  private static final int TEXT_CHARACTER_LIMIT = 300;

  byte[] render() throws IOException {
    VersionSummary summary = snapshot.summary();
    String body =
        """
        <header><h1>%s</h1>
        %s</header>
        <main data-name="%s" data-version="%d" data-rows="%d" data-etag="%s"%s>
        %s
        %s%s
        <div class="preview">%s</div></main>\
        """
            .formatted(
                Html.escape(reference.toString()),
                links(summary, parameters.query()),
                Html.escape(summary.name().value()),
                summary.version(),
                summary.file().rows(),
                Html.escape(EntityTag.of(summary.id()).toString()),
                reference.version() == null ? "" : " data-pinned",
                counts(summary),
                lineage(lineage),
                schema(selected.schema().fields()),
                PreviewTable.render(
                    "The first rows", Preview.of(snapshot, selected, parameters.text())));
    return PageTemplate.render(
        PageTemplate.Section.DATASETS,
        reference + " · Quiver",
        body,
        "dataset/dataset-page.js",
        queryable);
  }

  private static String counts(VersionSummary summary) {
    Documents.Version version = Documents.Version.of(summary);
    Instant end = summary.expiresAt();
    return """
    <div class="scroll" tabindex="0"><table>
    <tr><th>version<th class="number">rows<th class="number">record batches\
    <th class="number">bytes<th>compression<th>written%s
    <tr><td>%d<td class="number">%s<td class="number">%s<td class="number">%s<td>%s<td>%s%s
    </table></div>\
    """
        .formatted(
            end == null ? "" : "<th>expires",
            version.version(),
            Html.grouped(version.rows()),
            Html.grouped(version.batches()),
            Html.grouped(version.bytes()),
            version.codec() == null ? "none" : version.codec(),
            Html.seconds(summary.committedAt()),
            end == null ? "" : "<td>" + Html.seconds(end));
  }

  /// Returns links to this version, even on the page of the latest one, and to the list of
  /// versions.
  private String links(VersionSummary summary, String query) {
    String pinned = DatasetPath.pinned(summary);
    String formats =
        Format.SUFFIXED.stream()
            .map(Format::suffix)
            .map(suffix ->
                "<a href=\"%s%s%s\">%s</a>".formatted(pinned, suffix, Html.escape(query), suffix))
            .collect(Collectors.joining());
    return """
    <nav>%s<a href="%2$s/schema">schema</a><a href="%2$s/batches">batches</a>\
    <a href="%3$s/versions">versions</a>%4$s</nav>\
    """
        .formatted(
            formats, pinned, DatasetPath.of(summary.name()), queryable ? statementLink() : "");
  }

  /// Returns a link to the page of statements, with one that reads the first rows.
  private String statementLink() {
    String table = "\"%s\"".formatted(reference.toString().replace("\"", "\"\""));
    String sql = "SELECT * FROM %s LIMIT %d".formatted(table, STATEMENT_ROW_LIMIT);
    return "<a href=\"%s?q=%s\">Ask in SQL</a>"
        .formatted(Paths.SQL, URLEncoder.encode(sql, StandardCharsets.UTF_8));
  }

  /// Returns the statement that computed the rows, with links to the versions that it read.
  private static String lineage(@Nullable Lineage lineage) {
    if (lineage == null) {
      return "";
    }
    String parameters =
        lineage.parameters().entrySet().stream()
            .map(parameter ->
                "<tr><td>%s<td>%s\n"
                    .formatted(
                        Html.escape(Excerpt.of(parameter.getKey(), TEXT_CHARACTER_LIMIT)),
                        Html.escape(Excerpt.of(parameter.getValue(), TEXT_CHARACTER_LIMIT))))
            .collect(Collectors.joining());
    String reads =
        lineage.reads().stream()
            .map(version ->
                "<a href=\"%s\">%s</a>"
                    .formatted(DatasetPath.of(version), Html.escape(version.toString())))
            .collect(Collectors.joining());
    return """
    <h2>Statement</h2>
    <div class="scroll" tabindex="0"><pre>%s</pre></div>
    %s<nav>%s</nav>
    """
        .formatted(
            Html.escape(lineage.sql()),
            parameters.isEmpty()
                ? ""
                : "<div class=\"scroll\" tabindex=\"0\"><table><tr><th>parameter<th>value\n%s</table></div>\n"
                    .formatted(parameters),
            reads);
  }

  private static String schema(List<Field> fields) {
    String rows =
        fields.stream().limit(FIELD_LIMIT).map(DatasetPage::row).collect(Collectors.joining());
    int more = fields.size() - FIELD_LIMIT;
    return """
    <h2>Schema</h2>
    <div class="scroll" tabindex="0"><table>
    <tr><th>column<th>type<th>nullability
    %s</table></div>%s\
    """
        .formatted(rows, more > 0 ? "<p>and " + Html.grouped(more) + " more</p>" : "");
  }

  private static String row(Field field) {
    return "<tr><td>%s<td>%s<td>%s\n"
        .formatted(
            Html.escape(Excerpt.of(field.name(), TEXT_CHARACTER_LIMIT)),
            Html.escape(Excerpt.of(field.describeType(), TEXT_CHARACTER_LIMIT)),
            field.nullable() ? "" : "not null");
  }
}
