package dev.quiver.server.inspect;

import dev.quiver.server.pages.Html;
import dev.quiver.server.pages.PageTemplate;

/// The page that inspects a local file before it is stored.
///
/// @param site the URL of the service for the command, such as `http://localhost:8080`
/// @param writable whether the service accepts uploads
/// @param queryable whether statements run
record InspectPage(String site, boolean writable, boolean queryable) {

  private static final String BODY =
      """
      <header><h1>Inspect a file</h1>
      <p>See where each message and each buffer of an Arrow file lies, or what the columns of a CSV,\
       Excel, JSON or Parquet file become. <strong>Nothing is stored.</strong></p></header>
      <main%s>
      <p>To list the messages and the errors of a file or stream:</p>
      <pre>curl --data-binary @flights.arrow %s/inspect</pre>
      </main>\
      """;

  byte[] render() {
    return PageTemplate.render(
        PageTemplate.Section.INSPECT,
        "Inspect a file · Quiver",
        BODY.formatted(writable ? " data-writable" : "", Html.escape(site)),
        "anatomy/inspect-page.js",
        queryable);
  }
}
