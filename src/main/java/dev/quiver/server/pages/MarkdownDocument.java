package dev.quiver.server.pages;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.DefaultUrlSanitizer;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.text.TextContentRenderer;
import org.jspecify.annotations.Nullable;

/// A Markdown file of the repository.
///
/// @param path relative to the repository
record MarkdownDocument(String path, String text) {

  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());

  private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

  private static final HtmlRenderer HTML =
      HtmlRenderer.builder()
          .extensions(EXTENSIONS)
          .attributeProviderFactory(context -> MarkdownDocument::makeScrollable)
          .escapeHtml(true)
          .sanitizeUrls(true)
          // Code that scrolls can have the focus, for those without a mouse.
          .attributeProviderFactory(_ ->
              (_, tag, attributes) -> {
                if (tag.equals("pre")) {
                  attributes.put("tabindex", "0");
                }
              })
          .urlSanitizer(new DefaultUrlSanitizer(Set.of("http", "https", "mailto")))
          .build();

  private static final TextContentRenderer TEXT = TextContentRenderer.builder().build();

  /// Lets keys scroll code and tables that are wider than the screen.
  private static void makeScrollable(Node node, String tag, Map<String, String> attributes) {
    if (tag.equals("pre") || tag.equals("table")) {
      attributes.put("tabindex", "0");
    }
  }

  /// Returns the text of the first heading, or the path if the document has no heading.
  String title() {
    List<String> headings = new ArrayList<>();
    PARSER
        .parse(text)
        .accept(
            new AbstractVisitor() {
              @Override
              public void visit(Heading heading) {
                headings.add(TEXT.render(heading).strip());
              }
            });
    return headings.isEmpty() ? path : headings.getFirst();
  }

  /// Returns the paths within the repository that the document links to or shows.
  List<String> targets() {
    List<String> targets = new ArrayList<>();
    PARSER
        .parse(text)
        .accept(
            new Destinations() {
              @Override
              @Nullable String replace(URI destination) {
                targets.add(destination.getPath());
                return destination.toString();
              }
            });
    return targets;
  }

  /// Returns the document as HTML. Raw HTML in it is escaped, and so is any URL that could run a
  /// script.
  ///
  /// @param url returns the URL for a path within the repository, or null to omit the link
  String render(UnaryOperator<@Nullable String> url) {
    Node root = PARSER.parse(text);
    root.accept(
        new Destinations() {
          @Override
          @Nullable String replace(URI destination) {
            String replacement = url.apply(destination.getPath());
            String fragment = destination.getRawFragment();
            return replacement == null || fragment == null
                ? replacement
                : replacement + "#" + fragment;
          }
        });
    return HTML.render(root);
  }

  /// A visitor that replaces destinations within the repository.
  private abstract class Destinations extends AbstractVisitor {

    private static final String ROOT = "/";

    /// Returns the new destination, or null to omit the link.
    ///
    /// @param destination a path within the repository, without a slash in front, and its fragment
    abstract @Nullable String replace(URI destination);

    @Override
    public void visit(Link link) {
      visitChildren(link);
      String replacement = replaced(link.getDestination());
      if (replacement == null) {
        unwrap(link);
      } else {
        link.setDestination(replacement);
      }
    }

    @Override
    public void visit(Image image) {
      String replacement = replaced(image.getDestination());
      if (replacement == null) {
        unwrap(image);
      } else {
        image.setDestination(replacement);
      }
    }

    private @Nullable String replaced(String destination) {
      URI uri = URI.create(destination);
      if (uri.isAbsolute() || uri.getRawAuthority() != null || uri.getPath().isEmpty()) {
        return destination;
      }
      String resolved = URI.create(ROOT + path).resolve(uri).toString();
      return replace(URI.create(resolved.substring(ROOT.length())));
    }

    private static void unwrap(Node node) {
      Node child = node.getFirstChild();
      while (child != null) {
        Node next = child.getNext();
        node.insertBefore(child);
        child = next;
      }
      node.unlink();
    }
  }
}
