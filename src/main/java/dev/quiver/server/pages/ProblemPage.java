package dev.quiver.server.pages;

import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemPages;
import dev.quiver.sql.query.Queries;
import org.springframework.stereotype.Component;

/// The page of a problem, without scripts: what was expected, what helps, and the way to the
/// datasets.
@Component
final class ProblemPage implements ProblemPages {

  private static final String BODY =
      """
      <header><h1>%s</h1></header>
      <main>
      <p>%s</p>
      %s<nav><a href="/">All datasets</a></nav>
      <p><small>Status %d, request <code>%s</code></small></p>
      </main>\
      """;

  private final Queries queries;

  ProblemPage(Queries queries) {
    this.queries = queries;
  }

  @Override
  public Page render(Problem problem, String requestId) {
    Object hint = problem.members().get("hint");
    String body =
        BODY.formatted(
            Html.escape(problem.title()),
            Html.escape(sentence(problem.detail())),
            hint == null ? "" : "<p>%s</p>\n".formatted(Html.escape(hint.toString())),
            problem.status(),
            Html.escape(requestId));
    String title = "%d %s · Quiver".formatted(problem.status(), problem.title());
    return new Page(PageTemplate.render(title, body, queries.isAvailable()), PageTemplate.HEADERS);
  }

  private static String sentence(String detail) {
    return detail.endsWith(".") ? detail : detail + ".";
  }
}
