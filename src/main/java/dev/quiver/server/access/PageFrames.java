package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.RequestOrigin;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Paths;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.stereotype.Component;

/// The frames in which pages of the sites in `quiver.pages.frame-ancestors` may show pages of this
/// service: the list of datasets, a dataset, statements and documents.
///
/// A page in a frame changes nothing. Its site could otherwise lay something over it that its
/// visitor clicks instead.
@Component
final class PageFrames {

  private final List<String> ancestors;

  PageFrames(QuiverProperties properties) {
    this.ancestors = properties.pages().frameAncestors();
  }

  /// Returns whether a response is shown in a frame if it is a page of a named site that asks.
  boolean permit(HttpServletRequest request, Route.Found route) {
    return !ancestors.isEmpty()
        && RequestOrigin.isFrame(request)
        && isOfNamedSite(request)
        && isPage(request, route);
  }

  /// Returns whether a path is that of a page that a frame may show.
  static boolean isPage(HttpServletRequest request, Route.Found route) {
    String path = request.getServletPath();
    return path.equals("/")
        || path.equals(Paths.SQL)
        || path.equals(Paths.DOCUMENTS)
        || path.startsWith(Paths.DOCUMENTS + "/")
        || route.dataset() != null && path.equals(DatasetPath.of(route.dataset()));
  }

  /// Returns whether the page with the frame is of a named site, as far as the browser tells. A
  /// page may forbid it to tell; then the browser alone enforces the policy of the response.
  private boolean isOfNamedSite(HttpServletRequest request) {
    String page = request.getHeader("Referer");
    return page == null || ancestors.stream().anyMatch(origin -> page.startsWith(origin + "/"));
  }
}
