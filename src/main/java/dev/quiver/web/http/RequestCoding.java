package dev.quiver.web.http;

import dev.quiver.codec.GzipSource;
import dev.quiver.codec.ZstandardSource;
import dev.quiver.input.Excerpt;
import dev.quiver.memory.ByteSource;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/// The content coding of a request, which is undone: RFC 9110 §8.4.
public enum RequestCoding {
  IDENTITY,
  GZIP,
  ZSTANDARD;

  /// The value of `Accept-Encoding` in an answer: RFC 9110 §12.5.3.
  static final String TAKEN = "gzip, zstd";

  /// What `Content-Encoding` names, which may be there more than once.
  ///
  /// @throws ProblemException 415 for another coding, or for two on top of each other
  public static RequestCoding of(HttpServletRequest request) {
    String value = String.join(", ", Collections.list(request.getHeaders("Content-Encoding")));
    List<String> codings =
        List.of(value.toLowerCase(Locale.ROOT).split(",")).stream()
            .map(String::strip)
            .filter(coding -> !coding.isEmpty() && !coding.equals("identity"))
            .toList();
    return switch (String.join(", ", codings)) {
      case "" -> IDENTITY;
      case "gzip", "x-gzip" -> GZIP;
      case "zstd" -> ZSTANDARD;
      default ->
          throw Problem.of(
                  ProblemType.UNSUPPORTED_MEDIA_TYPE,
                  "Expected gzip or zstd, or no coding, but found %s at header Content-Encoding"
                      .formatted(Excerpt.of(value, Problem.QUOTE_LENGTH)))
              .withHeader("Accept-Encoding", TAKEN)
              .asException();
    };
  }

  /// The content of `coded`.
  ///
  /// @param inFlight has the memory that decoding takes, where a client can make that large
  public Decoded decode(ByteSource coded, InFlightBytes inFlight) {
    return switch (this) {
      case IDENTITY -> new Decoded(coded, () -> {});
      case GZIP -> {
        GzipSource source = new GzipSource(coded);
        yield new Decoded(source, source::close);
      }
      case ZSTANDARD -> {
        ZstandardSource source = new ZstandardSource(coded, inFlight);
        yield new Decoded(source, source::close);
      }
    };
  }

  /// Content, and what frees the memory that decoding it takes.
  public record Decoded(ByteSource source, Runnable closer) {

    public void close() {
      closer.run();
    }
  }
}
