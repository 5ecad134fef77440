package dev.quiver.server.access;

import dev.quiver.server.http.QueryString;
import dev.quiver.server.pages.Html;
import dev.quiver.server.pages.PageTemplate;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.stream.Collectors;

/// A page in place of what a link of another site leads to. It shows the URL, and the person
/// decides whether to follow it. The page depends on nothing but the URL.
final class LinkPage {

  private static final String BODY =
      """
      <header><h1>Follow this link?</h1></header>
      <main class="panel notice">
      <p>A link of another site leads to <code>%s</code>. Nothing has been read yet.</p>
      %s
      <nav><a class="button primary" href="?%s">follow it</a></nav>
      </main>\
      """;

  private LinkPage() {}

  static void send(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String query = request.getQueryString() == null ? "" : request.getQueryString();
    String path = Html.escape(request.getServletPath());
    String body = BODY.formatted(path, parameters(query), Html.escape(query));
    byte[] page = PageTemplate.render("Link · Quiver", body, /* queryable= */ false);
    PageTemplate.HEADERS.forEach(response::setHeader);
    response.setHeader("Cache-Control", "no-store");
    response.setContentType("text/html;charset=UTF-8");
    response.setContentLength(page.length);
    response.getOutputStream().write(page);
  }

  private static String parameters(String query) {
    return QueryString.parameters(query).entrySet().stream()
        .flatMap(entry -> entry.getValue().stream().map(value -> entry.getKey() + "=" + value))
        .map(parameter -> "<pre>%s</pre>".formatted(Html.escape(parameter)))
        .collect(Collectors.joining("\n"));
  }
}
