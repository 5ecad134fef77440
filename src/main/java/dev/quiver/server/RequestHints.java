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
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Hints about failures that depend on the request: on its path, and on what it sent.
@Component
final class RequestHints {

  private final PathHints paths;

  RequestHints(PathHints paths) {
    this.paths = paths;
  }

  /// Returns a problem with what helps, or the problem itself if it says so already.
  Problem add(Problem problem, Exception failure, HttpServletRequest request) {
    if (problem.hasHint()) {
      return problem;
    }
    if (failure instanceof UnsupportedFormatException other) {
      return problem.withHint(unrecognized(other.found(), request.getServletPath()));
    }
    if (problem.isOf(ProblemType.UNSUPPORTED_MEDIA_TYPE)) {
      return problem.withHint(
          "Leave out Content-Type, and send the data to %s."
              .formatted(withSuffix(request.getServletPath(), Format.CSV.suffix())));
    }
    return problem.isOf(ProblemType.NOT_FOUND) ? problem.withHint(paths.of(request)) : problem;
  }

  /// Returns the hint about data whose format its bytes do not tell.
  ///
  /// @param found what it is
  private static @Nullable String unrecognized(String found, String path) {
    if (found.startsWith("the text ")) {
      String suffix = Format.CSV.suffix();
      return isOfDataset(path)
          ? "Send it to %s if it is CSV, or state its type as Content-Type: text/csv."
              .formatted(withSuffix(path, suffix))
          : "State its type, as in Content-Type: text/csv if it is CSV.";
    }
    if (found.equals("JSON")) {
      return isOfDataset(path)
          ? "Send it to %s, with the suffix of its format."
              .formatted(withSuffix(path, Format.JSON.suffix()))
          : "State its type, as in Content-Type: application/x-ndjson.";
    }
    if (found.startsWith("HTML")) {
      return "Look at the file: it is a page or XML, maybe an error of the site that it came from.";
    }
    return "Convert the data to Arrow, Parquet, CSV, JSON or Excel, and send it to %s."
        .formatted(withSuffix(path, Format.PARQUET.suffix()));
  }

  private static boolean isOfDataset(String path) {
    return path.startsWith(Paths.INDEX) && path.indexOf('/', Paths.INDEX.length()) < 0;
  }

  /// Returns the path of a dataset with the suffix of a format.
  private static String withSuffix(String path, String suffix) {
    String name = isOfDataset(path) ? path.substring(Paths.INDEX.length()) : "";
    Format format = Format.ofName(name);
    String plain = format == null ? FileCoding.withoutSuffix(name) : format.withoutSuffix(name);
    return PublicPath.prefix()
        + Paths.INDEX
        + (plain.isEmpty() ? "NAME" : Excerpt.of(plain, Problem.QUOTE_LENGTH))
        + suffix;
  }
}
