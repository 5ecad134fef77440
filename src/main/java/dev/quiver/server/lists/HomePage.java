package dev.quiver.server.lists;

import dev.quiver.formats.Format;
import dev.quiver.server.pages.Html;
import dev.quiver.server.pages.PageTemplate;
import dev.quiver.server.read.Preview;
import dev.quiver.server.read.PreviewTable;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Documents;
import dev.quiver.store.version.VersionSummary;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The page of the service: its datasets, and how to use it.
///
/// @param site the URL of the service for commands to copy, such as `http://localhost:8080`
/// @param more whether more datasets exist
/// @param tokenRequired whether writes need a token
/// @param queryable whether statements run
/// @param preview the first rows of the dataset `sample`, or null if absent
public record HomePage(
    String site,
    List<VersionSummary> datasets,
    boolean more,
    boolean writable,
    boolean tokenRequired,
    boolean queryable,
    @Nullable Preview preview) {

  /// The dataset in the commands, if it exists.
  public static final String SAMPLE = "sample";

  private static final String BODY =
      """
      <header><h1>Datasets</h1>
      <p>Drop a table here; see, filter, chart and share its rows.</p></header>
      <main%s>
      %s
      <details class="help" open><summary>From the command line</summary>
      <nav><a href="/datasets/">all datasets</a> <a href="/datasets">as JSON</a>\
       <a href="/api">API</a> <a href="/health">health</a> <a href="/metrics">metrics</a></nav>
      %s
      %s
      </details>
      %s
      </main>\
      """;

  public byte[] render() {
    String uses = upload() + "\n" + inspect();
    String rows = PreviewTable.render("The first rows of " + SAMPLE, preview);
    return PageTemplate.render(
        PageTemplate.Section.DATASETS,
        "Quiver",
        BODY.formatted(
            writable ? " data-writable" : "",
            datasets.isEmpty() ? "" : table(),
            read(),
            uses,
            rows),
        "upload/list-page.js",
        queryable);
  }

  private String table() {
    String rows = datasets.stream().map(HomePage::row).collect(Collectors.joining());
    String note = more ? "<p>There are <a href=\"/datasets/\">more</a>.</p>" : "";
    return """
    <div class="scroll" tabindex="0"><table>
    <tr><th>name<th class="number">version<th class="number">rows<th class="number">batches\
    <th class="number">bytes<th>codec<th>modified<th>
    %s</table></div>%s\
    """
        .formatted(rows, note);
  }

  private static String row(VersionSummary summary) {
    Documents.Version version = Documents.Version.of(summary);
    String latest = DatasetPath.of(summary.name());
    return """
    <tr><td><a href="%s">%s</a><td class="number"><a href="%s">%d</a><td class="number">%s\
    <td class="number">%s<td class="number">%s<td>%s<td>%s\
    <td>%s <a href="%s">schema</a> <a href="%s">batches</a>
    """
        .formatted(
            latest,
            Html.escape(version.name()),
            latest + "/versions",
            version.version(),
            Html.grouped(version.rows()),
            Html.grouped(version.batches()),
            Html.grouped(version.bytes()),
            version.codec() == null ? "" : version.codec(),
            Html.seconds(summary.committedAt()),
            Format.SUFFIXED.stream()
                .map(format -> "<a href=\"%1$s%2$s\">%2$s</a>".formatted(latest, format.suffix()))
                .collect(Collectors.joining(" ")),
            latest + "/schema",
            latest + "/batches");
  }

  private String upload() {
    return writable
        ? """
        <h2>Upload</h2>
        <p>An Arrow file or stream, as pandas, polars, pyarrow and others write it:</p>
        <pre>curl -T flights.arrow%1$s %2$s/datasets/</pre>
        <p>To append rows with the same columns:</p>
        <pre>curl -X POST -T more.arrow%1$s %2$s/datasets/flights</pre>\
        """
            .formatted(
                tokenRequired ? " -H \"Authorization: Bearer $TOKEN\"" : "", Html.escape(site))
        : """
        <h2>Upload</h2>
        <p>This service is read-only.</p>\
        """;
  }

  /// Returns instructions that apply to read-only services, too.
  private String inspect() {
    return """
    <h2>Inspect</h2>
    <p>To list the messages and the errors of a file or stream without storing it:</p>
    <pre>curl --data-binary @flights.arrow %s/inspect</pre>\
    """
        .formatted(Html.escape(site));
  }

  private String read() {
    String name =
        preview != null || datasets.isEmpty() ? SAMPLE : datasets.getFirst().name().value();
    String dataset = Html.escape(site + "/datasets/" + name);
    return """
    <h2>Read</h2>
    <pre>curl -O %1$s.arrow                 # the file; -r for a part, -C - to resume
    curl %1$s.csv                      # the rows; also .tsv, .json and .jsonl
    curl %1$s/schema
    curl %1$s/batches                  # where each batch lies in the file
    curl -o 0.arrows %1$s/batches/0    # one batch as a stream</pre>
    <pre>pandas.read_feather("%1$s.arrow")
    polars.scan_ipc("%1$s.arrow")      # fetches only what is needed</pre>\
    """
        .formatted(dataset);
  }
}
