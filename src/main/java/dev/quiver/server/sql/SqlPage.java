package dev.quiver.server.sql;

import dev.quiver.server.pages.Html;
import dev.quiver.server.pages.PageTemplate;
import org.jspecify.annotations.Nullable;

/// The page of statements: an editor, and how to ask without it. It shows a statement to which a
/// link leads, and runs it only if its reader wants that.
///
/// @param site the URL of the service for commands to copy, such as `http://localhost:8080`
/// @param statement the statement of the link, or null if absent
/// @param writable whether results can be stored
public record SqlPage(String site, @Nullable Linked statement, boolean writable) {

  /// @param url the path and query that run it
  public record Linked(String sql, String url) {}

  private static final String BODY =
      """
      <header><h1>SQL</h1></header>
      <main%s>
      %s
      <p>A <code>SELECT</code> that is posted to <code>/sql</code> responds with its rows, and\
       every dataset is a table. The suffix chooses the format: <code>.csv</code>,\
       <code>.json</code>, <code>.arrow</code>, <code>.parquet</code> or\
       <a href="/docs/sql">another</a>.</p>
      <pre>curl -d 'SELECT * FROM sample LIMIT 10' %s/sql.csv</pre>
      </main>\
      """;

  public byte[] render() {
    String body =
        BODY.formatted(
            writable ? " data-writable" : "",
            statement == null ? "" : shown(statement),
            Html.escape(site));
    return PageTemplate.render(
        PageTemplate.Section.SQL, "SQL · Quiver", body, "sql/sql-page.js", /* queryable= */ true);
  }

  private static String shown(Linked statement) {
    return """
    <h2>Run this statement?</h2>
    <p>A link leads to this statement. It has not run.</p>
    <pre>%s</pre>
    <nav><a href="%s">run it</a></nav>\
    """
        .formatted(Html.escape(statement.sql()), Html.escape(statement.url()));
  }
}
