package dev.quiver.formats;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Formats other than Arrow's.
public enum ForeignFormat {
  CSV(List.of(".csv"), List.of("text/csv", "application/csv")),
  TSV(List.of(".tsv", ".tab"), List.of("text/tab-separated-values")),
  JSON(List.of(".json"), List.of("application/json", "text/json")),
  JSON_LINES(
      List.of(".jsonl", ".ndjson"),
      List.of(
          "application/x-ndjson",
          "application/jsonl",
          "application/ndjson",
          "application/x-jsonlines",
          "application/json-lines")),
  PARQUET(
      List.of(".parquet", ".pq"),
      List.of("application/vnd.apache.parquet", "application/x-parquet", "application/parquet"));

  /// The number of bytes that [#ofStart] needs, unless the file is shorter.
  public static final int START_BYTE_SIZE = 16;

  private static final byte[] PARQUET_MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /// The magic of files whose footer is encrypted.
  private static final byte[] ENCRYPTED_MAGIC = "PARE".getBytes(StandardCharsets.US_ASCII);

  private final List<String> suffixes;
  private final List<String> mediaTypes;

  ForeignFormat(List<String> suffixes, List<String> mediaTypes) {
    this.suffixes = suffixes;
    this.mediaTypes = mediaTypes;
  }

  /// Returns the ends of the names of such files, the usual one first.
  public List<String> suffixes() {
    return suffixes;
  }

  /// Returns the media types, the registered one first.
  public List<String> mediaTypes() {
    return mediaTypes;
  }

  /// Returns the format that the end of a file's name tells, in any case, or null if none.
  public static @Nullable ForeignFormat ofName(String name) {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    for (ForeignFormat format : values()) {
      if (format.suffixes.stream().anyMatch(lowerCase::endsWith)) {
        return format;
      }
    }
    return null;
  }

  /// Returns the name of a file of this format without its suffix.
  public String withoutSuffix(String name) {
    String lowerCase = name.toLowerCase(Locale.ROOT);
    for (String suffix : suffixes) {
      if (lowerCase.endsWith(suffix)) {
        return name.substring(0, name.length() - suffix.length());
      }
    }
    return name;
  }

  /// Returns the format of a media type without parameters, in any case, or null if none.
  public static @Nullable ForeignFormat ofMediaType(String mediaType) {
    String lowerCase = mediaType.toLowerCase(Locale.ROOT);
    for (ForeignFormat format : values()) {
      if (format.mediaTypes.contains(lowerCase)) {
        return format;
      }
    }
    return null;
  }

  /// Returns the format that the first bytes of a file tell, or null if they do not. Text of
  /// columns is not recognized: its name or media type must tell it. Lines of JSON are found by the
  /// reader of JSON.
  ///
  /// @param start the first bytes
  public static @Nullable ForeignFormat ofStart(byte[] start) {
    if (Arrays.mismatch(start, PARQUET_MAGIC) == PARQUET_MAGIC.length
        || Arrays.mismatch(start, ENCRYPTED_MAGIC) == ENCRYPTED_MAGIC.length) {
      return PARQUET;
    }
    String text = new String(start, StandardCharsets.UTF_8);
    String content = (text.startsWith("\uFEFF") ? text.substring(1) : text).stripLeading();
    return content.startsWith("{") || content.startsWith("[") ? JSON : null;
  }
}
