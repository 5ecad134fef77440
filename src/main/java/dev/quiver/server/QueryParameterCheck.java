package dev.quiver.server;

import dev.quiver.formats.Format;
import dev.quiver.server.access.Access;
import dev.quiver.server.http.Problem;
import dev.quiver.server.pages.DocumentPages;
import dev.quiver.server.read.BatchRange;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.QueryParameters;
import dev.quiver.store.Datasets;
import dev.quiver.store.log.Jobs;
import dev.quiver.store.version.VersionSummary;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/// Rejects query parameters that a resource does not have. A misspelt `columns` would otherwise
/// return all of them, and a misspelt `batches` store something else than asked.
///
/// Spring's own handlers, `/health`, `/metrics` and static files, are not checked.
@Component
final class QueryParameterCheck implements HandlerInterceptor, WebMvcConfigurer {

  private final Datasets datasets;
  private final Jobs jobs;

  QueryParameterCheck(Datasets datasets, Jobs jobs) {
    this.datasets = datasets;
    this.jobs = jobs;
  }

  @Override
  public void addInterceptors(InterceptorRegistry registry) {
    registry.addInterceptor(this);
  }

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws IOException {
    if (request.getQueryString() == null || !(handler instanceof HandlerMethod)) {
      return true;
    }
    Map<String, String> variables = variables(request);
    String pattern =
        request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE).toString();
    Set<String> earlier = Access.of(request).earlierNames();
    String operation = operation(request.getMethod(), pattern, variables, earlier);
    Problem problem = QueryParameters.problem(request, operation);
    if (problem != null && exists(request.getMethod(), pattern, variables, earlier)) {
      throw problem.asException();
    }
    return true;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, String> variables(HttpServletRequest request) {
    return (Map<String, String>)
        request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
  }

  private static String operation(
      String requestMethod, String pattern, Map<String, String> variables, Set<String> earlier) {
    String method = requestMethod.equals("HEAD") ? "GET" : requestMethod;
    Format suffixed =
        method.equals("GET") && pattern.equals(Paths.DATASET)
            ? DatasetPath.parse(variables.getOrDefault("dataset", ""), earlier).format()
            : null;
    return method + " " + pattern + (suffixed == null ? "" : suffixed.suffix());
  }

  /// Returns whether a resource exists: a missing one is the first problem to report. The handler
  /// reports it if it is unknown here.
  private boolean exists(
      String method, String pattern, Map<String, String> variables, Set<String> earlier)
      throws IOException {
    String page = variables.get("page");
    if (page != null) {
      return DocumentPages.exists(page);
    }
    String job = variables.get("job");
    if (job != null) {
      return jobs.find(job) != null;
    }
    String dataset = variables.get("dataset");
    boolean mayCreate =
        pattern.equals(Paths.DATASET) && (method.equals("PUT") || method.equals("POST"));
    if (dataset == null || mayCreate) {
      return true;
    }
    VersionSummary summary =
        datasets.summary(
            pattern.equals(Paths.DATASET)
                ? DatasetPath.parse(dataset, earlier).reference()
                : DatasetPath.parseWithoutSuffix(dataset));
    String range = variables.get("range");
    return range == null || BatchRange.parse(range, summary.file().batches()) != null;
  }
}
