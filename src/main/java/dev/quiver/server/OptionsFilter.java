package dev.quiver.server;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.MediaTypes;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemWriter;
import dev.quiver.server.http.UploadLimit;
import dev.quiver.server.resource.Paths;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/// Responds to OPTIONS and rejects TRACE, both with the methods of the resource. The response to
/// OPTIONS also has the media types for POST, and the limit of resumable uploads.
///
/// Tomcat responds to TRACE with the methods of the whole service, and Spring sends an empty
/// `Accept-Patch`.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 40)
public final class OptionsFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  private final transient ObjectProvider<RequestMappingInfoHandlerMapping> mappings;
  private final String uploadLimit;

  OptionsFilter(
      ObjectProvider<RequestMappingInfoHandlerMapping> mappings, QuiverProperties properties) {
    this.mappings = mappings;
    this.uploadLimit = UploadLimit.ofByteSize(properties.limits().request().maximum());
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    boolean trace = request.getMethod().equals("TRACE");
    Problem notAllowed =
        trace || request.getMethod().equals("OPTIONS") ? notAllowed(request) : null;
    if (notAllowed != null && !trace) {
      notAllowed.headers().forEach(response::setHeader);
      String allowed = notAllowed.headers().getOrDefault("Allow", "");
      boolean posts = allowed.contains("POST");
      if (posts && AcceptPost.appliesTo(request)) {
        response.setHeader("Accept-Post", AcceptPost.of(request));
      }
      boolean patches = allowed.contains("PATCH");
      if (patches) {
        response.setHeader("Accept-Patch", MediaTypes.PARTIAL_UPLOAD);
      }
      if (patches || allowed.contains("PUT") || request.getServletPath().equals(Paths.DATASETS)) {
        response.setHeader(UploadLimit.NAME, uploadLimit);
      }
    } else if (notAllowed != null) {
      ProblemWriter.write(request, response, notAllowed);
    } else if (trace) {
      ProblemWriter.write(request, response, Problem.notFound(request.getRequestURI()));
    } else {
      chain.doFilter(request, response);
    }
  }

  /// Returns the response to a TRACE of the resource, or null if the resource does not exist.
  private @Nullable Problem notAllowed(HttpServletRequest request) throws ServletException {
    HttpServletRequest trace =
        new HttpServletRequestWrapper(request) {
          @Override
          public String getMethod() {
            return "TRACE";
          }
        };
    ServletRequestPathUtils.parseAndCache(trace);
    try {
      for (RequestMappingInfoHandlerMapping mapping : mappings) {
        mapping.getHandler(trace);
      }
      return null;
    } catch (HttpRequestMethodNotSupportedException e) {
      return AllowedMethods.problem(trace, e.getSupportedMethods());
    } catch (Exception e) {
      throw new ServletException(e);
    }
  }
}
