package dev.quiver.server.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MarkdownDocumentTest {

  private static String render(String text) {
    return new MarkdownDocument("src/docs/a.md", text)
        .render(Map.of("README.md", "/docs", "src/docs/b.md", "/docs/b", "src/c.svg", "/c")::get);
  }

  @Test
  void rendersTablesAndHeadingsWithAnchors() {
    assertThat(render("## The *first* table\n\n| a |\n| --- |\n| `b` |\n"))
        .contains("<h2 id=\"the-first-table\">The <em>first</em> table</h2>")
        .contains("<th>a</th>", "<td><code>b</code></td>");
  }

  @Test
  void codeCanHaveTheFocus() {
    assertThat(new MarkdownDocument("a.md", "```sh\ncurl\n```\n").render(path -> path))
        .isEqualTo("<pre tabindex=\"0\"><code class=\"language-sh\">curl\n</code></pre>\n");
  }

  @Test
  void resolvesLinksAndImagesAgainstThePathOfTheDocument() {
    assertThat(render("[a](b.md#c), [d](../../README.md), [e](#f), ![g](../c.svg)"))
        .isEqualTo(
            "<p><a rel=\"nofollow\" href=\"/docs/b#c\">a</a>,"
                + " <a rel=\"nofollow\" href=\"/docs\">d</a>,"
                + " <a rel=\"nofollow\" href=\"#f\">e</a>,"
                + " <img src=\"/c\" alt=\"g\" /></p>\n");
  }

  @Test
  void leavesLinksToOtherSitesUnchanged() {
    assertThat(render("[a](https://example.org/b#c) <http://localhost:8080/>"))
        .isEqualTo(
            "<p><a rel=\"nofollow\" href=\"https://example.org/b#c\">a</a>"
                + " <a rel=\"nofollow\" href=\"http://localhost:8080/\">http://localhost:8080/</a>"
                + "</p>\n");
  }

  @Test
  void keepsOnlyTheTextOfLinksWithoutAPage() {
    assertThat(render("[the `pom`, *of course*](../../pom.xml) ![picture](none.svg)"))
        .isEqualTo("<p>the <code>pom</code>, <em>of course</em> picture</p>\n");
  }

  @Test
  void listsThePathsOfLinksAndImages() {
    assertThat(
            new MarkdownDocument(
                    "src/docs/a.md", "[a](b.md#c) [d](../e.md) ![f](g.svg) [h](https://i) [j](#k)")
                .targets())
        .containsExactly("src/docs/b.md", "src/e.md", "src/docs/g.svg");
  }

  @Test
  void escapesHtmlAndDropsScriptLinks() {
    String html =
        render(
            """
            # <script>alert(1)</script>

            <script>alert(2)</script>

            a <img src=x onerror=alert(3)> [b](javascript:alert(4)) ![c](javascript:alert(5))

            | <svg onload=alert(6)> |
            | --- |
            | [d](JaVaScRiPt:alert(7)) [e](data:text/html,f) |

            ```"><script>
            </code></pre><script>alert(8)</script>
            ```
            """);
    assertThat(html.toLowerCase(Locale.ROOT))
        .doesNotContain("<script", "<img src=x", "<svg", "javascript:", "data:text");
  }

  @Test
  void documentTitleIsTheFirstHeading() {
    assertThat(new MarkdownDocument("a.md", "text\n\n# The `HTTP` API\n\n# Other\n").title())
        .isEqualTo("The \"HTTP\" API");
    assertThat(new MarkdownDocument("a.md", "text").title()).isEqualTo("a.md");
  }
}
