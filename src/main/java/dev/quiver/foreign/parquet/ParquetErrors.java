package dev.quiver.foreign.parquet;

import dev.quiver.foreign.ForeignDataException;
import dev.quiver.foreign.ForeignErrors;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The engine's errors about Parquet files, as sentences for the client that sent the file.
final class ParquetErrors {

  private static final Pattern CODEC =
      Pattern.compile(".*Unsupported compression codec \"([A-Za-z0-9_]{1,20})\".*", Pattern.DOTALL);

  /// Sentences by parts of the engine's messages, the first that is found.
  private static final SequencedMap<Pattern, String> SENTENCES = new LinkedHashMap<>();

  static {
    SENTENCES.put(
        Pattern.compile("(?i)encrypt|crypto"),
        "Expected a Parquet file without encryption but found an encrypted one");
    SENTENCES.put(
        Pattern.compile("No magic bytes found|too small to be a Parquet file"),
        "Expected a Parquet file but found other bytes at its end: it is truncated or of another"
            + " format");
    SENTENCES.put(
        Pattern.compile("at least one non-root column"),
        "Expected a Parquet file with at least one column but found none");
    SENTENCES.put(
        Pattern.compile("(?i)requires? the .{1,40}extension|Missing Extension|not loaded"),
        "Expected a Parquet file of types that are supported but found others");
    SENTENCES.put(
        Pattern.compile("(?i)not implemented|unimplemented|unsupported|not supported"),
        "Expected a Parquet file of encodings and types that are supported but found others");
    SENTENCES.put(
        Pattern.compile(
            "(?i)TProtocolException|TTransportException|what type:|read enough bytes|decompress|decode|decoding|corrupt"
                + "|out of (?:buffer|range|bounds)|invalid|mismatch|unexpected|snappy|zstd|gzip|lz4"
                + "|brotli|end of file|metadata|footer|page|column chunk"),
        "Expected a Parquet file but found a damaged one");
  }

  private ParquetErrors() {}

  static ForeignDataException of(String message) {
    ForeignDataException cast = ForeignErrors.cast(message, List.of());
    if (cast != null) {
      return cast;
    }
    Matcher codec = CODEC.matcher(message);
    if (codec.matches()) {
      return ForeignDataException.of(
          "Expected a Parquet file with a codec of %s but found %s"
              .formatted("none, snappy, gzip, brotli, lz4, lz4_raw or zstd", codec.group(1)));
    }
    for (Map.Entry<Pattern, String> known : SENTENCES.entrySet()) {
      if (known.getKey().matcher(message).find()) {
        return ForeignDataException.of(known.getValue());
      }
    }
    return ForeignDataException.of("The file cannot be read as Parquet");
  }
}
