package dev.quiver.server.access;

import dev.quiver.arrow.memory.Limit;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.ProblemWriter;
import dev.quiver.server.http.QueryString;
import dev.quiver.server.transfer.Exchange;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/// Rejects requests of a principal that has too many in progress, and gives the others its pace.
///
/// A request counts from when it is permitted until its response is complete. Health and other
/// routes that need no permission do not count.
final class PrincipalUsages extends HttpFilter {

  private static final long serialVersionUID = 1;

  private static final String RETRY_AFTER_SECONDS = "1";

  /// The number of principals from which those at rest are forgotten.
  private static final int FORGETTING_SIZE = 1_000;

  private final transient PrincipalMetrics metrics;

  /// Guards itself and its values.
  private final transient Map<String, PrincipalUsage> usages = new HashMap<>();

  PrincipalUsages(PrincipalMetrics metrics) {
    this.metrics = metrics;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Access access = Access.of(request);
    Route.Found route = access.route();
    if (!access.limits().areOfRequests() || route.requirement() == Requirement.NOTHING) {
      chain.doFilter(request, response);
      return;
    }
    boolean statement =
        route.runsStatement(
            QueryString.parameters(request.getQueryString()), request.getContentType());
    PrincipalUsage usage;
    Limit reached;
    synchronized (usages) {
      usage = usage(access);
      reached = usage.begin(statement);
    }
    if (reached != null) {
      metrics.count(reached);
      ProblemWriter.write(request, response, problem(reached));
      return;
    }
    Exchange.of(request).setPace(usage.pace());
    RequestPlace place = new RequestPlace(usages, usage, statement, metrics);
    access.enter(place);
    boolean complete = false;
    try {
      chain.doFilter(request, response);
      complete = true;
    } finally {
      if (complete && request.isAsyncStarted()) {
        request.getAsyncContext().addListener(place);
      } else {
        place.end();
      }
    }
  }

  private PrincipalUsage usage(Access access) {
    if (usages.size() >= FORGETTING_SIZE) {
      usages.values().removeIf(PrincipalUsage::isAtRest);
    }
    return usages.computeIfAbsent(
        access.principal().id(), _ -> new PrincipalUsage(access.limits()));
  }

  static Problem problem(Limit reached) {
    String what = reached.name().substring(reached.name().lastIndexOf('.') + 1);
    return Problem.of(
            ProblemType.TOO_MANY_REQUESTS,
            "Expected at most %d %s of one principal at a time (%s) but found more"
                .formatted(reached.maximum(), what, reached.name()))
        .withHint("Wait until one of them has ended, and send the request again.")
        .with("limit", Map.of("key", reached.name(), "maximum", reached.maximum()))
        .withHeader("Retry-After", RETRY_AFTER_SECONDS);
  }
}
