package dev.quiver.server.resource;

import static java.util.Map.entry;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.memory.NearestName;
import dev.quiver.formats.Format;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.transfer.ContainerErrors;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The query parameters of each resource, and the rejection of others.
public final class QueryParameters {

  private static final List<String> NONE = List.of();
  private static final List<String> CONVERT =
      List.of(
          "columns",
          "offset",
          "limit",
          "sample",
          "dictionaries",
          "codec",
          "numbers",
          "max-value-bytes",
          "text",
          "bom",
          "envelope",
          "width",
          "rename",
          "csv.name",
          "excel.name",
          "json.name");
  private static final List<String> INSPECT =
      List.of("truncated", "rename", "csv.name", "excel.name", "json.name");
  private static final List<String> READ =
      List.of(
          "columns",
          "since",
          "where",
          "search",
          "rows",
          "offset",
          "limit",
          "sample",
          "dictionaries",
          "codec",
          "numbers",
          "max-value-bytes",
          "text",
          "bom",
          "envelope",
          "width");
  private static final List<String> LIST = List.of("prefix", "q", "sort", "limit", "after");
  private static final String WIDTH = "width";
  private static final List<String> LIST_DOCUMENT = with(LIST, "total");
  private static final List<String> UPLOAD =
      List.of(
          "batches",
          "codec",
          "truncated",
          "expires",
          "verbose",
          "rename",
          "csv.name",
          "excel.name",
          "json.name",
          "p.name");

  /// The end of a name that stands for all with the same start.
  private static final String ANY = ".name";

  private static final List<String> SQL_BODY =
      List.of(
          "p.name",
          "explain",
          "codec",
          "numbers",
          "max-value-bytes",
          "text",
          "bom",
          "envelope",
          "width",
          "limit",
          "name");

  private static final List<String> SQL = with(List.of("q"), SQL_BODY.toArray(String[]::new));

  /// The parameters by method and path pattern, which for reads of a dataset has its suffix.
  private static final Map<String, List<String>> BY_OPERATION = new HashMap<>();

  /// The parameters of paths without the suffix of a format.
  private static final Map<String, List<String>> UNSUFFIXED =
      Map.ofEntries(
          entry("GET /", NONE),
          entry("GET /datasets", with(LIST_DOCUMENT, WIDTH)),
          entry("GET /datasets/", List.of("prefix")),
          entry("POST /datasets", UPLOAD),
          entry("GET /datasets/{dataset}", with(READ, "include_footnotes")),
          entry("PUT /datasets/{dataset}", UPLOAD),
          entry("POST /datasets/{dataset}", with(UPLOAD, "types", "columns")),
          entry("DELETE /datasets/{dataset}", NONE),
          entry("GET /datasets/{dataset}/summary", NONE),
          entry("GET /datasets/{dataset}/layout", List.of("from", "count")),
          entry("GET /datasets/{dataset}/schema", NONE),
          entry(
              "GET /datasets/{dataset}/batches", List.of("from", "count", "statistics", "numbers")),
          entry("GET /datasets/{dataset}/batches/{range}", List.of("codec")),
          entry(
              "GET /datasets/{dataset}/partitions",
              List.of("count", "columns", "where", "search", "format")),
          entry(
              "GET /datasets/{dataset}/statistics",
              List.of("columns", "where", "search", "numbers")),
          entry("GET /datasets/{dataset}/versions", List.of("limit", "before", "compactions")),
          entry("GET /datasets/{dataset}/events", NONE),
          entry("GET /datasets/{dataset}/blobs", NONE),
          entry("POST /datasets/{dataset}/compact", List.of("verbose")),
          entry("POST /datasets/{dataset}/verify", NONE),
          entry("POST /datasets/{dataset}/links", List.of("expires")),
          entry("GET /sql", SQL),
          entry("POST /sql", SQL_BODY),
          entry("GET /sql/statements/{statement}", NONE),
          entry("GET /inspect", NONE),
          entry("POST /inspect", INSPECT),
          entry("POST /convert", CONVERT),
          entry("GET /jobs", List.of("limit", "after")),
          entry("GET /jobs/{job}", NONE),
          entry("DELETE /jobs/{job}", NONE),
          entry("HEAD /uploads/{upload}", NONE),
          entry("PATCH /uploads/{upload}", NONE),
          entry("DELETE /uploads/{upload}", NONE),
          entry("GET /assets/{hash}/{*name}", NONE),
          entry("GET /docs", NONE),
          entry("GET /docs/{page}", NONE),
          entry("GET /api", NONE),
          entry("GET /swagger-ui/index.html", NONE),
          entry("GET /openapi", NONE),
          entry("GET /openapi.yaml", NONE));

  static {
    BY_OPERATION.putAll(UNSUFFIXED);
    // Every format has the parameters of the others: links keep `numbers` from one format to the
    // next. Text rejects `codec` and `dictionaries` with a reason, Arrow data `max-value-bytes`,
    // all but CSV and TSV `text` and `bom`, and all but JSON `envelope`.
    for (Format format : Format.SUFFIXED) {
      BY_OPERATION.put("GET " + Paths.DATASET + format.suffix(), READ);
      BY_OPERATION.put("GET " + Paths.SQL + format.suffix(), SQL);
      BY_OPERATION.put("POST " + Paths.SQL + format.suffix(), SQL_BODY);
    }
    for (Format format : Format.STREAMED) {
      BY_OPERATION.put(
          "GET " + Paths.DATASETS + format.suffix(),
          switch (format) {
            case JSON -> LIST_DOCUMENT;
            case TABLE -> with(LIST, WIDTH);
            default -> LIST;
          });
    }
  }

  /// The names of a parameter that other services have for the format.
  private static final Set<String> FORMAT_NAMES = Set.of("format", "type", "output", "out", "f");

  /// The names that parameters have in other services.
  private static final Map<String, String> OTHER_NAMES =
      Map.of(
          "sql", "q",
          "query", "q",
          "filter", "where",
          "fields", "columns",
          "select", "columns",
          "top", "limit",
          "skip", "offset");

  /// The parameters that other sites append to their links to a page.
  private static final Set<String> CLICK_IDS = Set.of("fbclid", "gclid");

  private QueryParameters() {}

  private static List<String> with(List<String> parameters, String... others) {
    return Stream.concat(parameters.stream(), Stream.of(others)).toList();
  }

  /// Returns the parameters of each operation, such as `GET /datasets`.
  public static Map<String, List<String>> byOperation() {
    return Collections.unmodifiableMap(BY_OPERATION);
  }

  /// Returns the problem of a query with an unknown or malformed parameter, or null if it has none.
  ///
  /// @param operation the method and the path pattern of the resource
  public static @Nullable Problem problem(HttpServletRequest request, String operation) {
    Problem malformed = ContainerErrors.ofQuery(request);
    if (malformed != null) {
      return malformed;
    }
    List<String> known = BY_OPERATION.getOrDefault(operation, NONE);
    for (String name : Collections.list(request.getParameterNames())) {
      if (!isKnown(name, known) && !isLink(name, operation) && !isIgnored(name, request)) {
        Problem unknown = unknown(Excerpt.of(name, Problem.QUOTE_LENGTH), known);
        return unknown.withHint(hint(name, known, operation, request));
      }
    }
    return null;
  }

  private static boolean isKnown(String name, List<String> known) {
    return known.contains(name)
        || known.stream()
            .filter(start -> start.endsWith(ANY))
            .anyMatch(
                start -> name.startsWith(start.substring(0, start.length() - ANY.length() + 1)));
  }

  /// Returns whether a parameter belongs to a link, which all reads of a dataset may have.
  private static boolean isLink(String name, String operation) {
    return name.equals(Paths.LINK_PARAMETER) && operation.startsWith("GET /datasets/{dataset}");
  }

  private static boolean isIgnored(String name, HttpServletRequest request) {
    String accept = request.getHeader("Accept");
    return accept != null
        && accept.contains("text/html")
        && (name.startsWith("utm_") || CLICK_IDS.contains(name));
  }

  private static Problem unknown(String name, List<String> known) {
    String near = near(name, known);
    return Problem.of(
        ProblemType.BAD_REQUEST,
        known.isEmpty()
            ? "Expected no parameter but found %s at the query".formatted(name)
            : "Expected %s but found %s at the query%s"
                .formatted(
                    ParameterParser.oneOf(known),
                    name,
                    near == null ? "" : ": the nearest parameter is " + near));
  }

  private static String hint(
      String name, List<String> known, String operation, HttpServletRequest request) {
    if (FORMAT_NAMES.contains(name) && operation.endsWith(Paths.CONVERT)) {
      return "State the format of the result by the header Accept, as in Accept: text/csv.";
    }
    if (FORMAT_NAMES.contains(name) && hasSuffixes(operation)) {
      return "The suffix of the path chooses the format: ask for %s."
          .formatted(withSuffix(request.getServletPath(), request.getParameter(name)));
    }
    if (name.equals("q") && known == SQL_BODY) {
      return "Send the statement as the body, or by GET.";
    }
    String near = near(name, known);
    return near == null || near.endsWith(ANY)
        ? "Leave out the parameter."
        : "Write %s= in place of %s=.".formatted(near, Excerpt.of(name, Problem.QUOTE_LENGTH));
  }

  /// Returns whether the suffix of the path may choose the format.
  private static boolean hasSuffixes(String operation) {
    Format suffixed = Format.ofName(operation);
    String plain = suffixed == null ? operation : suffixed.withoutSuffix(operation);
    return BY_OPERATION.containsKey(plain + Format.CSV.suffix());
  }

  /// Returns the parameter that was most likely meant, or null.
  private static @Nullable String near(String name, List<String> known) {
    String meant = OTHER_NAMES.get(name);
    return meant != null && known.contains(meant) ? meant : NearestName.near(name, known);
  }

  /// Returns a path with the suffix of a format, or of CSV if the format is unknown.
  private static String withSuffix(String path, String named) {
    Format suffixed = Format.ofName(path);
    String name = named.toLowerCase(Locale.ROOT);
    Format wanted =
        name.equals("excel") || name.equals("xls") ? Format.EXCEL : Format.ofSuffix("." + name);
    return PublicPath.prefix()
        + (suffixed == null ? path : suffixed.withoutSuffix(path))
        + (wanted == null ? Format.CSV : wanted).suffix();
  }
}
