package dev.quiver.server.access;

import dev.quiver.server.http.MediaTypes;
import dev.quiver.server.http.ParameterizedValue;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.access.Principal;
import dev.quiver.store.version.DatasetReference;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/// A row of the table that says which permission each route requires.
///
/// Paths are matched as Spring matches handlers' paths, so both always find the same dataset.
///
/// @param methods the methods of the row, or none for all others
/// @param pattern the paths of the row
/// @param traits what else holds for the row
public record Route(
    List<String> methods, PathPattern pattern, Requirement requirement, Set<Trait> traits) {

  /// A property of a route besides its permission.
  public enum Trait {
    /// A link to the dataset permits the request.
    LINKABLE,
    /// Each request runs SQL or calculates statistics.
    STATEMENT
  }

  private static final List<String> SAFE = List.of("GET", "HEAD");
  private static final List<String> ALL = List.of();

  private static final String DATASET_VARIABLE = "dataset";

  /// Two segments and the separators before them.
  private static final int ELEMENTS_OF_DATASET = 4;

  /// The rows, of which the first that matches counts. The last two are for paths without a
  /// resource, and for methods that no resource has.
  public static final List<Route> TABLE =
      List.of(
          row(List.of("OPTIONS", "TRACE"), "/**", Requirement.NOTHING),
          row(ALL, "/health", Requirement.NOTHING),
          row(ALL, "/health/liveness", Requirement.NOTHING),
          row(ALL, "/health/readiness", Requirement.NOTHING),
          row(ALL, "/api", Requirement.NOTHING),
          row(ALL, "/openapi", Requirement.NOTHING),
          row(ALL, "/openapi.yaml", Requirement.NOTHING),
          row(ALL, "/swagger-ui/**", Requirement.NOTHING),
          row(ALL, Paths.DOCUMENTS + "/**", Requirement.NOTHING),
          row(ALL, Paths.ASSETS + "/**", Requirement.NOTHING),
          row(SAFE, "/metrics", Requirement.READ_ALL),
          row(List.of("GET", "HEAD", "DELETE"), Paths.JOBS + "/**", Requirement.JOB),
          row(List.of("HEAD", "PATCH", "DELETE"), Paths.UPLOADS + "/**", Requirement.UPLOAD),
          row(ALL, Paths.SQL, Requirement.READ_SOME, Trait.STATEMENT),
          row(ALL, Paths.SQL + ".*", Requirement.READ_SOME, Trait.STATEMENT),
          row(SAFE, Paths.STATEMENT, Requirement.STATEMENT),
          row(ALL, Paths.INSPECT, Requirement.READ_SOME),
          row(ALL, Paths.CONVERT, Requirement.READ_SOME),
          row(SAFE, "/", Requirement.READ_SOME),
          row(SAFE, Paths.DATASETS, Requirement.READ_SOME),
          row(SAFE, Paths.DATASETS + ".*", Requirement.READ_SOME),
          row(SAFE, Paths.INDEX, Requirement.READ_SOME),
          row(List.of("POST"), Paths.DATASETS, Requirement.WRITE_SOME),
          row(SAFE, Paths.DATASET + Paths.EVENTS, Requirement.READ),
          row(
              SAFE,
              Paths.DATASET + Paths.STATISTICS,
              Requirement.READ,
              Trait.LINKABLE,
              Trait.STATEMENT),
          row(SAFE, Paths.DATASET + "/**", Requirement.READ, Trait.LINKABLE),
          row(ALL, Paths.DATASET + "/**", Requirement.WRITE),
          row(SAFE, "/**", Requirement.READ_SOME),
          row(ALL, "/**", Requirement.WRITE_SOME));

  /// The route of a request.
  ///
  /// @param dataset what the path names, or null if it names no dataset or an invalid one
  public record Found(Route route, @Nullable DatasetReference dataset) {

    Requirement requirement() {
      return route.requirement;
    }

    boolean isLinkable() {
      return route.traits.contains(Trait.LINKABLE);
    }

    /// Returns whether a request runs SQL, a condition, a search or statistics.
    ///
    /// @param parameters those of the query
    boolean runsStatement(Map<String, List<String>> parameters, @Nullable String contentType) {
      return route.traits.contains(Trait.STATEMENT)
          || parameters.containsKey(Paths.CONDITION_PARAMETER)
          || parameters.containsKey(Paths.SEARCH_PARAMETER)
          || contentType != null
              && ParameterizedValue.withoutParameters(contentType).equalsIgnoreCase(MediaTypes.SQL);
    }

    /// Decides whether a principal may do what the request asks. The store is not asked, so a
    /// dataset that may not be read is as one that never existed.
    ///
    /// @return the response to a principal that is not anonymous, or null if it may
    @Nullable Problem denial(Principal principal, String method) {
      Permissions permissions = principal.permissions();
      return switch (requirement()) {
        case NOTHING -> null;
        case READ_SOME, STATEMENT -> require(permissions.readsSome(), "to read", "none");
        case READ_ALL -> require(permissions.readsAll(), "to read every dataset", "others");
        case WRITE_SOME -> require(permissions.writesSome(), "to write", found(permissions));
        case UPLOAD -> require(mayHaveJobs(principal, "DELETE"), "to write", found(permissions));
        case JOB -> require(mayHaveJobs(principal, method), "to write", found(permissions));
        case READ, WRITE -> {
          if (dataset == null) {
            // Its handler rejects a name that no dataset can have.
            yield requirement() == Requirement.READ
                ? require(permissions.readsSome(), "to read", "none")
                : require(permissions.writesSome(), "to write", found(permissions));
          }
          boolean granted =
              requirement() == Requirement.READ
                  ? permissions.mayRead(dataset.name())
                  : permissions.mayWrite(dataset.name());
          yield granted ? null : Access.denial(permissions, dataset);
        }
      };
    }
  }

  private static Route row(
      List<String> methods, String pattern, Requirement requirement, Trait... traits) {
    return new Route(
        methods, PathPatternParser.defaultInstance.parse(pattern), requirement, Set.of(traits));
  }

  public static Found of(HttpServletRequest request, Set<String> earlier) {
    RequestPath path = ServletRequestPathUtils.parseAndCache(request);
    return find(request.getMethod(), path.pathWithinApplication(), earlier);
  }

  /// Returns the route of a request by its method and path.
  public static Found find(String method, PathContainer path, Set<String> earlier) {
    for (Route route : TABLE) {
      if (route.methods.isEmpty() || route.methods.contains(method)) {
        PathPattern.PathMatchInfo match = route.pattern.matchAndExtract(path);
        if (match != null) {
          String segment = match.getUriVariables().get(DATASET_VARIABLE);
          boolean followed = path.elements().size() > ELEMENTS_OF_DATASET;
          return new Found(
              route, segment == null ? null : DatasetPath.find(segment, followed, method, earlier));
        }
      }
    }
    throw new IllegalStateException("Expected a route for every path but found none");
  }

  /// Returns whether a principal may have begun a job. Others than anonymous learn of none.
  private static boolean mayHaveJobs(Principal principal, String method) {
    Permissions permissions = principal.permissions();
    return !principal.isAnonymous()
        || permissions.writesSome()
        || permissions.readsJobs() && !method.equals("DELETE");
  }

  private static String found(Permissions permissions) {
    return permissions.readsSome() ? "only those to read" : "none";
  }

  private static @Nullable Problem require(boolean granted, String expected, String found) {
    return granted
        ? null
        : Problem.of(
                ProblemType.FORBIDDEN,
                "Expected a permission %s but found %s at the credentials"
                    .formatted(expected, found))
            .withHint(
                "Use a token with that permission, which quiver.auth.tokens gives to its name.");
  }
}
