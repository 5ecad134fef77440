package dev.quiver.server.access;

import dev.quiver.server.config.QuiverProperties;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.ProblemWriter;
import dev.quiver.server.http.RequestOrigin;
import dev.quiver.server.resource.Paths;
import dev.quiver.store.Datasets;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/// Rejects requests of pages of other sites, and all writes while the service is read-only. It does
/// so before the body of a request is read, and before its credentials are. A POST that stores
/// nothing counts as a read.
///
/// CORS alone does not stop such a request: a browser sends it and only hides the response. The
/// time that a response takes would still tell the page what a statement found.
///
/// A link to another site's choice of rows is [shown][LinkPage] before it is followed.
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 30)
public final class AccessFilter extends HttpFilter {

  private static final long serialVersionUID = 1;

  static final String ORIGIN_HINT =
      "Let the operator add the origin to quiver.cors.allowed-origins, or send the request from"
          + " elsewhere than a page.";

  private static final Set<String> SAFE_METHODS = Set.of("GET", "HEAD", "OPTIONS", "TRACE");

  private static final Set<String> STORING_NOTHING = Set.of(Paths.INSPECT, Paths.CONVERT);

  private final transient ListenAddress address;
  private final transient HostFilter hosts;
  private final transient PageFrames frames;
  private final transient Set<String> earlier;
  private final transient PublicUrls urls;
  private final transient List<String> allowedOrigins;

  public AccessFilter(
      QuiverProperties properties,
      ListenAddress address,
      HostFilter hosts,
      PageFrames frames,
      PublicUrls urls,
      Datasets datasets) {
    this.address = address;
    this.hosts = hosts;
    this.frames = frames;
    this.urls = urls;
    this.earlier = datasets.listing().earlierNames().all();
    this.allowedOrigins = properties.cors().allowedOrigins();
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    Problem problem = problem(request);
    if (problem != null) {
      ProblemWriter.write(request, response, problem);
    } else if (isShownFirst(request)) {
      LinkPage.send(request, response);
    } else {
      chain.doFilter(request, response);
    }
  }

  private @Nullable Problem problem(HttpServletRequest request) {
    boolean safe = SAFE_METHODS.contains(request.getMethod());
    boolean reads = safe || storesNothing(request.getServletPath());
    if (safe ? !mayRead(request) : !mayWrite(request)) {
      return Problem.of(
              ProblemType.CROSS_SITE,
              "Expected a page of this service or of an origin in quiver.cors.allowed-origins but found"
                  + rejectedSite(request))
          .withHint(ORIGIN_HINT);
    }
    if (!safe && address.isOpen() && isOfOwnPage(request)) {
      Problem misdirected = hosts.problem(request);
      if (misdirected != null) {
        return misdirected;
      }
    }
    String refusal = reads ? null : address.writeRefusal(request);
    return refusal == null
        ? null
        : Problem.of(
                ProblemType.READ_ONLY,
                "Expected a read but found %s at the request line: %s"
                    .formatted(request.getMethod(), refusal))
            .withHint(
                "Start the service with quiver.token=TOKEN, and send Authorization: Bearer TOKEN; or"
                    + " give tokens permissions by quiver.auth.tokens.");
  }

  /// Returns whether a read comes from a page that may read, from a link, from a frame of a named
  /// site, or from a client other than a browser. What requires no permission reveals nothing and
  /// costs little.
  private boolean mayRead(HttpServletRequest request) {
    if (mayWrite(request)
        || RequestOrigin.header(request) != null && allowedOrigins.contains("*")
        || RequestOrigin.isVisit(request)) {
      return true;
    }
    Route.Found route = Route.of(request, earlier);
    return route.requirement() == Requirement.NOTHING || frames.permit(request, route);
  }

  /// Returns whether a link or frame of another site leads to what it has chosen of a dataset. If
  /// it were followed at once, the site could see whether it is a download or a page with an error,
  /// and how long it takes. Statements have a page of their own for such links.
  private boolean isShownFirst(HttpServletRequest request) {
    if (!RequestOrigin.isForeign(request)
        || !RequestOrigin.isVisit(request) && !RequestOrigin.isFrame(request)) {
      return false;
    }
    Route.Found route = Route.of(request, earlier);
    return route.requirement() == Requirement.READ
        && (route.runsStatement(Map.of(), null) || hasParameters(request));
  }

  /// Returns whether a request has a parameter besides that of a link without a token.
  private static boolean hasParameters(HttpServletRequest request) {
    String query = request.getQueryString();
    return query != null
        && Arrays.stream(query.split("&"))
            .anyMatch(parameter -> !parameter.startsWith(Paths.LINK_PARAMETER + "="));
  }

  private static boolean storesNothing(String path) {
    return STORING_NOTHING.contains(path) || Paths.isSql(path);
  }

  /// Returns whether a request comes from a page that may write, or from a client other than a
  /// browser. A client that sends neither `Sec-Fetch-Site` nor `Origin` is not a recent browser.
  private boolean mayWrite(HttpServletRequest request) {
    return !RequestOrigin.isForeign(request) || isAllowedOrigin(request);
  }

  private boolean isAllowedOrigin(HttpServletRequest request) {
    String origin = RequestOrigin.header(request);
    return origin != null && (allowedOrigins.contains(origin) || urls.haveOrigin(origin));
  }

  /// Returns whether a write that is not cross-site comes from a page of the same name. Another
  /// site can point its own name at the service, so the name must be a known one if nothing else
  /// stops such a write.
  private boolean isOfOwnPage(HttpServletRequest request) {
    return RequestOrigin.header(request) == null
        ? RequestOrigin.site(request) != null
        : !isAllowedOrigin(request);
  }

  /// Describes the rejected site by the header that identified it; not every browser sends both.
  private static String rejectedSite(HttpServletRequest request) {
    String origin = RequestOrigin.header(request);
    return origin == null
        ? " " + RequestOrigin.site(request) + " at header Sec-Fetch-Site"
        : " " + origin + " at header Origin";
  }
}
