package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.VaryHeader;
import dev.quiver.store.Datasets;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Names the sites of [PageFrames] in the content security policy of the pages that they may show.
final class FrameFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  private static final String NONE = "frame-ancestors 'none'";

  private final String ancestors;
  private final transient Set<String> earlier;

  FrameFilter(QuiverProperties properties, Datasets datasets) {
    this.ancestors = "frame-ancestors " + String.join(" ", properties.pages().frameAncestors());
    this.earlier = datasets.listing().earlierNames().all();
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!PageFrames.isPage(request, Route.of(request, earlier))) {
      chain.doFilter(request, response);
      return;
    }
    // A page in a frame offers no writes.
    VaryHeader.add(response, "Sec-Fetch-Dest");
    chain.doFilter(request, new FramedResponse(response));
  }

  private final class FramedResponse extends HttpServletResponseWrapper {

    FramedResponse(HttpServletResponse response) {
      super(response);
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
      if (value != null && name.equalsIgnoreCase("Content-Security-Policy")) {
        super.setHeader(name, value.replace(NONE, ancestors));
      } else {
        super.setHeader(name, value);
      }
    }
  }
}
