package dev.quiver.server.pages;

import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemPages;
import dev.quiver.server.http.PublicPath;
import dev.quiver.sql.query.Queries;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.stereotype.Component;

/// The page of a problem, without scripts: what was expected, what helps, and the way to the
/// datasets.
@Component
final class ProblemPage implements ProblemPages {

  private static final String BODY =
      """
      <header><h1>%s</h1></header>
      <main class="panel notice">
      <p>%s</p>
      %s<nav><a class="button primary" href="/">All datasets</a></nav>
      <p><small>Status %d, request <code>%s</code></small></p>
      </main>\
      """;

  /// The paths in hints that a browser can open: of datasets, of documents and of single resources.
  /// Names in capital letters or braces stand for others.
  private static final String PATH =
      "(?<![^ ])%s(/(?:(?:datasets|jobs|docs)(?:[./](?!NAME)[\\w.~@%%/-]*\\w)?"
          + "|sql|inspect|api|openapi(?:\\.yaml)?|metrics|health))(?=[.,:;]?(?: |$))";

  /// The methods of requests that no link makes.
  private static final Pattern OTHER_METHOD = Pattern.compile("\\b(?:PUT|POST|PATCH|DELETE)\\b");

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
            hint == null ? "" : "<p>%s</p>\n".formatted(linked(hint.toString())),
            problem.status(),
            Html.escape(requestId));
    String title = "%d %s · Quiver".formatted(problem.status(), problem.title());
    return new Page(PageTemplate.render(title, body, queries.isAvailable()), PageTemplate.HEADERS);
  }

  /// Returns a hint as HTML whose paths are links, unless they are those of other methods.
  private static String linked(String hint) {
    if (OTHER_METHOD.matcher(hint).find()) {
      return Html.escape(hint);
    }
    StringBuilder html = new StringBuilder();
    int end = 0;
    for (Matcher path = path(hint); path.find(); end = path.end()) {
      html.append(Html.escape(hint.substring(end, path.start())))
          // The template adds the prefix.
          .append("<a href=\"%s\">".formatted(Html.escape(path.group(1))))
          .append(Html.escape(path.group()))
          .append("</a>");
    }
    return html.append(Html.escape(hint.substring(end))).toString();
  }

  private static Matcher path(String hint) {
    return Pattern.compile(PATH.formatted(Pattern.quote(PublicPath.prefix()))).matcher(hint);
  }

  private static String sentence(String detail) {
    return detail.endsWith(".") ? detail : detail + ".";
  }
}
