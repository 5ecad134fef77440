package dev.quiver.server;

import dev.quiver.arrow.ipc.UnsupportedFormatException;
import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.formats.FileCoding;
import dev.quiver.formats.Format;
import dev.quiver.server.access.PathHints;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.PublicPath;
import dev.quiver.server.resource.Paths;
import dev.quiver.store.version.DatasetNotFoundException;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Hints about failures that depend on the request: on its path, and on what it sent.
@Component
final class RequestHints {

  /// The maximum number of characters of a path in a hint.
  private static final int PATH_LENGTH = 400;

  private final PathHints paths;

  RequestHints(PathHints paths) {
    this.paths = paths;
  }

  /// Returns a problem with what helps, or the problem itself if it says so already.
  Problem add(Problem problem, Exception failure, HttpServletRequest request) {
    if (failure instanceof DatasetNotFoundException missing
        && missing.latest() != null
        && !missing.isSince()) {
      return problem.withHint(
          FailureHints.latest(missing.latest(), latest(missing, missing.latest(), request)));
    }
    if (problem.hasHint()) {
      return problem;
    }
    if (failure instanceof UnsupportedFormatException other) {
      return problem.withHint(unrecognized(other.text()));
    }
    if (problem.isOf(ProblemType.UNSUPPORTED_MEDIA_TYPE)) {
      return problem.withHint(
          "Leave out Content-Type, or send the data to a path with the suffix of its format, as %s."
              .formatted(withCsvSuffix(request.getServletPath())));
    }
    return problem.isOf(ProblemType.NOT_FOUND) ? problem.withHint(paths.of(request)) : problem;
  }

  /// Returns the path of a request with the latest version in place of one that does not exist.
  private static String latest(
      DatasetNotFoundException missing, long version, HttpServletRequest request) {
    String dataset = Paths.INDEX + missing.dataset();
    String path = request.getServletPath();
    String rest =
        path.startsWith(dataset + "@")
            ? path.substring(dataset.length()).replaceFirst("@[0-9]+", "")
            : "";
    return PublicPath.prefix() + Excerpt.of(dataset + "@" + version + rest, PATH_LENGTH);
  }

  /// Returns the hint about data whose format neither its bytes nor a name tell.
  private static String unrecognized(UnsupportedFormatException.@Nullable Text text) {
    return switch (text) {
      case MARKUP -> "Check where the data comes from: a page was sent in its place.";
      case JSON -> "State its type, as in Content-Type: application/x-ndjson.";
      case OTHER -> "State its type, as in Content-Type: text/csv if it is CSV.";
      case null -> "Convert the data to Arrow, Parquet, CSV, JSON or Excel.";
    };
  }

  private static boolean isOfDataset(String path) {
    return path.startsWith(Paths.INDEX) && path.indexOf('/', Paths.INDEX.length()) < 0;
  }

  /// Returns the path of a dataset with the suffix of CSV.
  private static String withCsvSuffix(String path) {
    String name = isOfDataset(path) ? path.substring(Paths.INDEX.length()) : "";
    Format format = Format.ofName(name);
    String plain = format == null ? FileCoding.withoutSuffix(name) : format.withoutSuffix(name);
    return PublicPath.prefix()
        + Paths.INDEX
        + (plain.isEmpty() ? "NAME" : Excerpt.of(plain, Problem.QUOTE_LENGTH))
        + Format.CSV.suffix();
  }
}
