package dev.quiver.server.http;

import dev.quiver.arrow.codec.GzipSource;
import dev.quiver.arrow.codec.ZstandardSource;
import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.arrow.parallel.InFlightBytes;
import java.util.List;
import java.util.Locale;

/// The content coding of a request body: RFC 9110 §8.4.
public enum RequestCoding {
  IDENTITY,
  GZIP,
  ZSTANDARD;

  /// The value of `Accept-Encoding` in a response: RFC 9110 §12.5.3.
  static final String ACCEPTED = "gzip, zstd";

  /// Returns the coding of a request, whose `Content-Encoding` may have several lines.
  ///
  /// @throws ProblemException 415 if the coding is unsupported, or if there are several
  public static RequestCoding of(RequestHead head) {
    String value = String.join(", ", head.headers("Content-Encoding"));
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
              .withHint("Send the body as it is, or compress it by gzip or zstd.")
              .withHeader("Accept-Encoding", ACCEPTED)
              .asException();
    };
  }

  /// Decodes `coded`.
  ///
  /// @param inFlight accounts for decoding memory, if clients control its size
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

  /// Decoded content, and the action that frees the memory of the decoder.
  public record Decoded(ByteSource source, Runnable closer) {

    public void close() {
      closer.run();
    }
  }
}
