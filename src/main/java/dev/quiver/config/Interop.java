package dev.quiver.config;

import dev.quiver.dataset.version.DatasetName;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// One of the conventions for Arrow over HTTP that the Arrow project tries out, and the dataset for
/// it.
///
/// @see <a href="https://github.com/apache/arrow-experiments/tree/main/http">the examples</a>
public record Interop(Convention convention, DatasetName dataset) {

  /// A convention: what the example clients ask for, and which of our resources that is.
  public enum Convention {
    /// `GET /` gives a stream.
    SIMPLE("GET", List.of("/")),
    /// `GET /` gives a stream, compressed as the client wishes.
    COMPRESSED("GET", List.of("/")),
    /// `GET /random.arrows` gives a stream, or parts of it.
    RANGE("GET", List.of("/", "/random.arrows")),
    /// `GET /` gives a list of streams.
    INDIRECT("GET", List.of("/")),
    /// `GET /` gives a document and a stream in one body.
    MULTIPART("GET", List.of("/")),
    /// `POST /` takes a stream.
    POST_SIMPLE("POST", List.of("/")),
    /// `POST /` takes a document and a stream in one body.
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

  /// Reads `<convention>:<dataset>`.
  ///
  /// @throws IllegalArgumentException when it is something else
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
