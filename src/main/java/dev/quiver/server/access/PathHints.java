package dev.quiver.server.access;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.memory.NearestName;
import dev.quiver.formats.Format;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.server.resource.QueryParameters;
import dev.quiver.store.Datasets;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.catalog.KnownNames;
import dev.quiver.store.version.DatasetName;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Hints for paths without a resource: the nearest path that has one.
///
/// A hint depends on the path and on the names that the principal may read. It never depends on
/// other datasets, and the store is not asked.
@Component
public final class PathHints {

  private static final String ALL = "%s/datasets lists the datasets.";

  private static final String UPLOAD =
      "Send data by PUT %s/datasets/NAME.csv, with the suffix of its format.";

  /// The hints for paths that other services have, by their first segment.
  private static final Map<String, String> OTHER_SERVICES =
      Map.ofEntries(
          Map.entry("upload", UPLOAD),
          Map.entry("ingest", UPLOAD),
          Map.entry("import", UPLOAD),
          Map.entry("put", UPLOAD),
          Map.entry("query", "Send the statement to %s/sql, as the body or as q=."),
          Map.entry("queries", "Send the statement to %s/sql, as the body or as q=."),
          Map.entry("tables", ALL),
          Map.entry("list", ALL),
          Map.entry("data", ALL),
          Map.entry("swagger", "%s/api describes the interface."),
          Map.entry("help", "%s/docs has the documents."));

  /// The resources whose paths have one segment, without the formats of others.
  private static final List<String> RESOURCES =
      Stream.concat(
              patterns(), QueryParameters.byOperation().keySet().stream().map(PathHints::pattern))
          .filter(path -> path.matches("/[a-z.]+") && Format.ofName(path) == null)
          .map(path -> path.substring(1))
          .distinct()
          .sorted()
          .toList();

  /// The resources below the path of a dataset, by method.
  private static final Map<String, List<String>> RESOURCES_OF_DATASET =
      QueryParameters.byOperation().keySet().stream()
          .filter(operation -> pattern(operation).matches(Pattern.quote(Paths.DATASET) + "/[a-z]+"))
          .sorted()
          .collect(
              Collectors.groupingBy(
                  operation -> operation.substring(0, operation.indexOf(' ')),
                  Collectors.mapping(
                      operation -> operation.substring(operation.lastIndexOf('/') + 1),
                      Collectors.toList())));

  private static final String SUFFIXES =
      Format.SUFFIXED.stream().map(Format::suffix).collect(Collectors.joining(", "));

  /// The maximum number of characters of a path in a hint.
  private static final int PATH_LENGTH = 400;

  private final KnownNames names;

  PathHints(Datasets datasets) {
    this.names = datasets.listing().knownNames();
  }

  private static Stream<String> patterns() {
    return Route.TABLE.stream().map(route -> route.pattern().getPatternString());
  }

  private static String pattern(String operation) {
    return operation.substring(operation.indexOf('/'));
  }

  /// Returns what to ask for in place of the path of a request, or null if unknown.
  public @Nullable String of(HttpServletRequest request) {
    List<String> segments =
        Arrays.stream(request.getServletPath().split("/")).filter(part -> !part.isEmpty()).toList();
    Access access = Access.find(request);
    if (segments.isEmpty() || access == null || isNewDataset(request, segments)) {
      return null;
    }
    Permissions permissions = access.principal().permissions();
    boolean ofDataset = segments.getFirst().equals("datasets") && segments.size() > 1;
    return ofDataset
        ? dataset(segments.get(1), rest(segments, 2), request.getMethod(), permissions)
        : resource(segments.getFirst(), rest(segments, 1), permissions);
  }

  /// Returns whether a request writes a dataset under any name, so that no other one is meant.
  private static boolean isNewDataset(HttpServletRequest request, List<String> segments) {
    return request.getMethod().equals("PUT")
        && segments.size() > 1
        && segments.getFirst().equals("datasets");
  }

  private static String rest(List<String> segments, int start) {
    return segments.stream()
        .skip(start)
        .map(segment -> "/" + segment)
        .collect(Collectors.joining());
  }

  private @Nullable String dataset(
      String segment, String rest, String method, Permissions permissions) {
    Format format = rest.isEmpty() ? Format.ofName(segment) : null;
    String reference = format == null ? segment : format.withoutSuffix(segment);
    String name = reference.replaceFirst("@.*", "");
    String version = reference.substring(name.length());
    boolean isKnown = names.contains(name, permissions);
    if (!rest.isEmpty() && (isKnown || !isResource(rest, method))) {
      // Whether the dataset exists is then told by the path below it.
      return below(Paths.INDEX + reference, rest.substring(1), method);
    }
    if (isKnown) {
      return null;
    }
    int dot = name.lastIndexOf('.');
    if (rest.isEmpty() && dot > 0 && names.contains(name.substring(0, dot), permissions)) {
      return "Use %s with the suffix of a format: %s."
          .formatted(path(name.substring(0, dot)), SUFFIXES);
    }
    String nearest = names.nearest(name, permissions);
    return nearest == null
        ? inPrefix(ALL)
        : use(path(nearest) + version + (format == null ? "" : format.suffix()) + rest);
  }

  /// Returns whether datasets have a resource, as far as its first segment tells.
  private static boolean isResource(String rest, String method) {
    String first = rest.split("/")[1];
    return Stream.of(method, "GET")
        .anyMatch(of -> RESOURCES_OF_DATASET.getOrDefault(of, List.of()).contains(first));
  }

  /// Returns the hint for a resource that datasets do not have.
  ///
  /// @param dataset the path of the dataset
  private static String below(String dataset, String rest, String method) {
    Format format = Format.ofSuffix("." + rest);
    List<String> readable = RESOURCES_OF_DATASET.getOrDefault("GET", List.of());
    List<String> resources = RESOURCES_OF_DATASET.getOrDefault(method, readable);
    String near = format == null ? NearestName.near(rest, resources) : null;
    if (format == null && near == null) {
      return "A dataset has %s, and its rows by suffix: %s."
          .formatted(String.join(", ", resources), SUFFIXES);
    }
    return use(PublicPath.prefix() + dataset + (format == null ? "/" + near : format.suffix()));
  }

  private String resource(String first, String rest, Permissions permissions) {
    String known = OTHER_SERVICES.get(first);
    if (known != null) {
      return inPrefix(known);
    }
    Format format = rest.isEmpty() ? Format.ofName(first) : null;
    String name = format == null ? first : format.withoutSuffix(first);
    String suffix = format == null ? "" : format.suffix();
    if (names.contains(name, permissions)) {
      return use(path(name) + suffix + rest);
    }
    boolean isResource =
        patterns().anyMatch(pattern -> (pattern + "/").startsWith("/" + name + "/"));
    String near = isResource ? null : NearestName.near(name, RESOURCES);
    if (near != null) {
      return use(PublicPath.prefix() + "/" + near + suffix + rest);
    }
    String nearest = isResource ? null : names.nearest(name, permissions);
    return nearest == null
        ? inPrefix("%s/openapi has all paths.")
        : use(path(nearest) + suffix + rest);
  }

  private static String path(String name) {
    return PublicPath.prefix() + DatasetPath.of(new DatasetName(name));
  }

  private static String use(String path) {
    return "Use %s.".formatted(Excerpt.of(path, PATH_LENGTH));
  }

  private static String inPrefix(String hint) {
    return hint.formatted(PublicPath.prefix());
  }
}
