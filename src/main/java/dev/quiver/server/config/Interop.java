package dev.quiver.server.config;

import dev.quiver.store.version.DatasetName;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// A convention of the Arrow project's experiments with Arrow over HTTP, and the dataset it serves.
///
/// @see <a href="https://github.com/apache/arrow-experiments/tree/main/http">the examples</a>
public record Interop(Convention convention, DatasetName dataset) {

  private static final String KEY = "quiver.interop";

  /// A convention of the example clients. Each maps to one of our resources.
  public enum Convention {
    /// `GET /` returns a stream.
    SIMPLE("GET", List.of("/")),
    /// `GET /` returns a stream, compressed as the client prefers.
    COMPRESSED("GET", List.of("/")),
    /// `GET /random.arrows` returns a stream, or ranges of it.
    RANGE("GET", List.of("/", "/random.arrows")),
    /// `GET /` returns a list of streams.
    INDIRECT("GET", List.of("/")),
    /// `GET /` returns a document and a stream in one body.
    MULTIPART("GET", List.of("/")),
    /// `POST /` accepts a stream.
    POST_SIMPLE("POST", List.of("/")),
    /// `POST /` accepts a document and a stream in one body.
    POST_MULTIPART("POST", List.of("/"));

    private final String method;
    private final List<String> paths;

    Convention(String method, List<String> paths) {
      this.method = method;
      this.paths = paths;
    }

    public String method() {
      return method;
    }

    public List<String> paths() {
      return paths;
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /// Parses `<convention>:<dataset>`.
  ///
  /// @throws ConfigurationException if the text is malformed
  public static Interop of(String text) {
    int colon = text.indexOf(':');
    String word = colon < 0 ? text : text.substring(0, colon);
    for (Convention convention : Convention.values()) {
      if (colon >= 0 && convention.word().equals(word)) {
        return new Interop(convention, dataset(text.substring(colon + 1)));
      }
    }
    throw ConfigurationException.of(
        Arrays.stream(Convention.values()).map(Convention::word).collect(Collectors.joining(" or "))
            + ", a colon and a dataset",
        text,
        KEY);
  }

  private static DatasetName dataset(String name) {
    try {
      return DatasetName.parseNew(name);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationException(e.getMessage() + " at " + KEY);
    }
  }

  /// Rejects two conventions for the same requests.
  static void requireDistinct(List<Interop> conventions) {
    Set<String> requests = new HashSet<>();
    for (Interop interop : conventions) {
      for (String path : interop.convention().paths()) {
        String request = interop.convention().method() + " " + path;
        if (!requests.add(request)) {
          throw ConfigurationException.of("one convention for " + request, "two", KEY);
        }
      }
    }
  }
}
