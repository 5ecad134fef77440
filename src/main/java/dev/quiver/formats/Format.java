package dev.quiver.formats;

import dev.quiver.arrow.text.TextFormat;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The formats of data, from which names, routes, negotiation, links and documents derive theirs.
///
/// Each format with a suffix is a path of every dataset and of every result. All of these but the
/// table for a terminal are accepted in uploads and imports.
public enum Format {
  /// An IPC file.
  FILE(
      Family.ARROW,
      List.of(".arrow", ".feather", ".ipc"),
      List.of("application/vnd.apache.arrow.file")),
  /// An IPC stream.
  STREAM(Family.ARROW, List.of(".arrows"), List.of("application/vnd.apache.arrow.stream")),
  /// An array of objects.
  JSON(TextFormat.JSON, "inline", List.of(".json"), List.of("application/json", "text/json")),
  /// An object on each line. No media type is registered, the first is the most common.
  JSON_LINES(
      TextFormat.JSON_LINES,
      "inline",
      List.of(".jsonl", ".ndjson"),
      List.of(
          "application/x-ndjson",
          "application/ndjson",
          "application/jsonl",
          "application/x-jsonl",
          "application/jsonlines",
          "application/x-jsonlines",
          "application/json-lines")),
  CSV(
      TextFormat.CSV,
      "attachment",
      List.of(".csv"),
      List.of("text/csv; charset=utf-8; header=present", "application/csv")),
  TSV(
      TextFormat.TSV,
      "attachment",
      List.of(".tsv", ".tab"),
      List.of("text/tab-separated-values; charset=utf-8")),
  /// A workbook with one worksheet, which is written to a file before it is sent. Workbooks with
  /// macros are read like others.
  EXCEL(
      Family.EXCEL,
      List.of(".xlsx", ".xlsm"),
      List.of(
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
          "application/vnd.ms-excel.sheet.macroenabled.12")),
  /// A file that a worker writes before it is sent.
  PARQUET(
      Family.PARQUET,
      List.of(".parquet", ".pq"),
      List.of("application/vnd.apache.parquet", "application/x-parquet", "application/parquet")),
  /// A table for a terminal, which has only some of the rows and is never read. A file of text with
  /// its suffix may have any format.
  TABLE(Family.TABLE, List.of(".txt"), List.of("text/plain; charset=utf-8")),
  /// The page of a dataset, which only `Accept` selects.
  HTML(Family.PAGE, List.of(), List.of("text/html;charset=UTF-8")),
  /// The metadata of a version and its stream in one body, which only `Accept` selects.
  MULTIPART_MIXED(Family.MULTIPART, List.of(), List.of("multipart/mixed"));

  /// The formats that share their parameters, their content codings and the code that writes them.
  public enum Family {
    ARROW,
    /// Rows as text, which is written while it is sent.
    TEXT,
    EXCEL,
    PARQUET,
    TABLE,
    PAGE,
    MULTIPART
  }

  /// The formats with a suffix.
  public static final List<Format> SUFFIXED = all(format -> !format.suffixes.isEmpty());

  /// The formats of uploads and imports: those of the data itself.
  public static final List<Format> READ =
      SUFFIXED.stream().filter(format -> format.family != Family.TABLE).toList();

  /// All formats, in order of preference. The stream is the default, since clients can decode it as
  /// it arrives.
  public static final List<Format> NEGOTIATED = preferring(STREAM, List.of(values()));

  /// The formats with a suffix, in order of preference.
  public static final List<Format> OFFERED = preferring(STREAM, SUFFIXED);

  /// The formats whose bytes can be sent while they are made, in order of preference for lists.
  public static final List<Format> STREAMED =
      Stream.of(Family.TEXT, Family.ARROW, Family.TABLE)
          .flatMap(family -> all(format -> format.family == family).stream())
          .toList();

  private static final byte[] PARQUET_MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);

  /// The first bytes of files whose footer is encrypted.
  private static final byte[] ENCRYPTED_MAGIC = "PARE".getBytes(StandardCharsets.US_ASCII);

  private final Family family;
  private final @Nullable TextFormat text;
  private final String disposition;
  private final List<String> suffixes;
  private final String mediaType;
  private final List<String> mediaTypes;

  Format(Family family, List<String> suffixes, List<String> mediaTypes) {
    this(family, null, family == Family.TABLE ? "inline" : "attachment", suffixes, mediaTypes);
  }

  Format(TextFormat text, String disposition, List<String> suffixes, List<String> mediaTypes) {
    this(Family.TEXT, text, disposition, suffixes, mediaTypes);
  }

  /// @param disposition whether browsers display the format (`inline`) or save it (`attachment`)
  /// @param suffixes the ends of file names, the usual one first
  /// @param mediaTypes the media types, the one of responses first and with its parameters
  Format(
      Family family,
      @Nullable TextFormat text,
      String disposition,
      List<String> suffixes,
      List<String> mediaTypes) {
    this.family = family;
    this.text = text;
    this.disposition = disposition;
    this.suffixes = suffixes;
    this.mediaType = mediaTypes.getFirst();
    this.mediaTypes = mediaTypes.stream().map(type -> type.replaceFirst(";.*", "")).toList();
  }

  private static List<Format> all(Predicate<Format> included) {
    return Arrays.stream(values()).filter(included).toList();
  }

  public Family family() {
    return family;
  }

  /// Returns what stands around the rows of a format of text.
  ///
  /// @throws IllegalStateException if this is another format
  public TextFormat text() {
    if (text == null) {
      throw new IllegalStateException("Expected a format of text but found " + this);
    }
    return text;
  }

  /// Returns the name in documents, such as `jsonLines`.
  public String camelCase() {
    String[] words = name().split("_");
    StringBuilder joined = new StringBuilder(words[0].toLowerCase(Locale.ROOT));
    for (int i = 1; i < words.length; i++) {
      joined.append(words[i].charAt(0)).append(words[i].substring(1).toLowerCase(Locale.ROOT));
    }
    return joined.toString();
  }

  /// Returns the suffix of paths, including its dot, or an empty text if only `Accept` selects this
  /// format.
  public String suffix() {
    return suffixes.isEmpty() ? "" : suffixes.getFirst();
  }

  /// Returns the suffixes of file names, the usual one first.
  public List<String> suffixes() {
    return suffixes;
  }

  /// Returns the media type of responses, with its parameters.
  public String mediaType() {
    return mediaType;
  }

  /// Returns the media types without parameters, the one of responses first.
  public List<String> mediaTypes() {
    return mediaTypes;
  }

  /// Returns whether browsers display the format (`inline`) or save it (`attachment`).
  public String disposition() {
    return disposition;
  }

  /// Returns the exception of code that this format never reaches.
  public IllegalArgumentException unexpected() {
    return new IllegalArgumentException("Expected another format but found " + this);
  }

  /// Returns formats in order of preference, one of them before the others.
  public static List<Format> preferring(Format first, List<Format> formats) {
    return Stream.concat(Stream.of(first), formats.stream().filter(format -> format != first))
        .toList();
  }

  /// Returns the format that a suffix of a path selects, or null if none.
  ///
  /// @param suffix includes the dot
  public static @Nullable Format ofSuffix(String suffix) {
    return SUFFIXED.stream()
        .filter(format -> format.suffixes.contains(suffix))
        .findFirst()
        .orElse(null);
  }

  /// Returns the format that the end of a file's name tells, in any case and maybe before the
  /// suffix of a coding, or null if none.
  public static @Nullable Format ofName(String name) {
    for (Format format : READ) {
      if (format.suffixIn(name) != null) {
        return format;
      }
    }
    return null;
  }

  /// Returns the name of a file of this format without its suffix and that of a coding.
  public String withoutSuffix(String name) {
    String suffix = suffixIn(name);
    String uncoded = FileCoding.withoutSuffix(name);
    return suffix == null ? name : uncoded.substring(0, uncoded.length() - suffix.length());
  }

  private @Nullable String suffixIn(String name) {
    String lowerCase = FileCoding.withoutSuffix(name).toLowerCase(Locale.ROOT);
    return suffixes.stream().filter(lowerCase::endsWith).findFirst().orElse(null);
  }

  /// Returns the format of data with a media type, which has no parameters and is in any case, or
  /// null if none.
  public static @Nullable Format ofMediaType(String mediaType) {
    String lowerCase = mediaType.toLowerCase(Locale.ROOT);
    for (Format format : READ) {
      if (format.mediaTypes.contains(lowerCase)) {
        return format;
      }
    }
    return null;
  }

  /// Returns the format that the first bytes of a file of another format than Arrow's tell, or null
  /// if they do not. Text of columns is not recognized: its name or media type must tell it. Lines
  /// of JSON are found by the reader of JSON.
  ///
  /// @param start the first bytes, as [FileCoding#readStart] returns them
  public static @Nullable Format ofStart(byte[] start) {
    if (Arrays.mismatch(start, PARQUET_MAGIC) == PARQUET_MAGIC.length
        || Arrays.mismatch(start, ENCRYPTED_MAGIC) == ENCRYPTED_MAGIC.length) {
      return PARQUET;
    }
    if (FileCoding.isDocument(start)) {
      return EXCEL;
    }
    String text = new String(start, charset(start));
    String content = (text.startsWith("\uFEFF") ? text.substring(1) : text).stripLeading();
    return content.startsWith("{") || content.startsWith("[") ? JSON : null;
  }

  /// Returns the encoding that a byte order mark tells, or UTF-8.
  private static Charset charset(byte[] start) {
    if (start.length < 4) {
      return StandardCharsets.UTF_8;
    }
    int mark = (start[0] & 0xFF) << 8 | start[1] & 0xFF;
    return switch (mark) {
      case 0xFEFF -> StandardCharsets.UTF_16BE;
      case 0xFFFE ->
          start[2] == 0 && start[3] == 0 ? StandardCharsets.UTF_32LE : StandardCharsets.UTF_16LE;
      case 0 ->
          start[2] == (byte) 0xFE && start[3] == (byte) 0xFF
              ? StandardCharsets.UTF_32BE
              : StandardCharsets.UTF_8;
      default -> StandardCharsets.UTF_8;
    };
  }
}
