package dev.quiver.web.representation;

/// The page of a statement to which another site links. It shows the statement, which only runs if
/// its reader wants that.
///
/// @param sql the statement
/// @param url the path and query that run it
public record StatementPage(String sql, String url) {

  private static final String BODY =
      """
      <h1>Run this statement?</h1>
      <p>A page of another site links to this statement. It has not run.</p>
      <pre>%s</pre>
      <nav><a href="%s">run it</a><a href="/">all datasets</a></nav>\
      """;

  public byte[] render() {
    return PageTemplate.render(
        "Run this statement?", BODY.formatted(Html.escape(sql), Html.escape(url)));
  }
}
