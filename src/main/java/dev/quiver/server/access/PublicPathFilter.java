package dev.quiver.server.access;

import dev.quiver.server.http.PublicPath;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Gives paths in headers, documents and pages the [prefix][PublicPath] below which the client of a
/// request knows the service.
final class PublicPathFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  private final transient PublicUrls urls;

  PublicPathFilter(PublicUrls urls) {
    this.urls = urls;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String prefix = urls.path(request);
    // The response of a request that has waited is wrapped already.
    boolean isWrapped = prefix.isEmpty() || request.getDispatcherType() == DispatcherType.ASYNC;
    HttpServletResponse prefixed = isWrapped ? response : new PrefixedResponse(response, prefix);
    try {
      PublicPath.<Exception>below(
          request,
          prefix,
          () -> {
            chain.doFilter(request, prefixed);
            return null;
          });
    } catch (IOException | ServletException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }
}
