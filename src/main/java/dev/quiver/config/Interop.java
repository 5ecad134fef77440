package dev.quiver.config;

import dev.quiver.dataset.version.DatasetName;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// A convention of the Arrow project's experiments with Arrow over HTTP, and the dataset it serves.
///
/// @see <a href="https://github.com/apache/arrow-experiments/tree/main/http">the examples</a>
public record Interop(Convention convention, DatasetName dataset) {

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
  /// @throws IllegalArgumentException if the text is malformed
  public static Interop of(String text) {
    int colon = text.indexOf(':');
    String word = colon < 0 ? text : text.substring(0, colon);
    for (Convention convention : Convention.values()) {
      if (colon >= 0 && convention.word().equals(word)) {
        return new Interop(convention, DatasetName.parse(text.substring(colon + 1)));
      }
    }
    throw new IllegalArgumentException(
        "Expected %s, a colon and a dataset but found %s at quiver.interop"
            .formatted(
                Arrays.stream(Convention.values())
                    .map(Convention::word)
                    .collect(Collectors.joining(" or ")),
                text));
  }
}
