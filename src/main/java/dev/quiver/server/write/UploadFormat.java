package dev.quiver.server.write;

import dev.quiver.arrow.ipc.BodyFormat;
import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.formats.ColumnRenames;
import dev.quiver.formats.Format;
import dev.quiver.formats.InvalidOptionException;
import dev.quiver.formats.csv.CsvOptions;
import dev.quiver.server.http.MediaTypes;
import dev.quiver.server.http.ParameterizedValue;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.RequestHead;
import dev.quiver.server.resource.DatasetPath;
import dev.quiver.sql.query.FileOptions;
import dev.quiver.sql.worker.Parameter;
import dev.quiver.store.version.DatasetName;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The declared format of the data of an upload, checked before the body is requested.
public sealed interface UploadFormat {

  String FORM = "multipart/form-data";

  /// The media types of Arrow data, for `Accept-Post` and in problems.
  String ARROW =
      "%s, %s, application/octet-stream"
          .formatted(Format.STREAM.mediaType(), Format.FILE.mediaType());

  /// The media types of data, for `Accept-Post` and in problems: Arrow data, then text.
  String ACCEPTED =
      Stream.concat(
              Stream.of(ARROW),
              Format.READ.stream()
                  .filter(format -> format.family() != Format.Family.ARROW)
                  .map(format -> format.mediaTypes().getFirst())
                  .sorted(Comparator.comparing(type -> !type.startsWith("text/"))))
          .collect(Collectors.joining(", "));

  /// The media types of what can be stored.
  String STORABLE = ACCEPTED + ", " + MediaTypes.SQL;

  /// Media types that clients send for any bytes.
  Set<String> GENERIC =
      Set.of(
          "",
          "application/octet-stream",
          // The default of curl, wget, axios and urllib.
          "application/x-www-form-urlencoded",
          // The default of fetch and of other clients for a string.
          "text/plain",
          // The default of HTTPie.
          Format.JSON.mediaType());

  /// The hint for a form where only the data itself is accepted.
  String WITHOUT_FORM =
      "Send the file itself in place of a form, as curl does by --data-binary @FILE.";

  /// The media type that clients of Windows send for text in columns by its suffix.
  String SPREADSHEET = "application/vnd.ms-excel";

  /// The format of data, without a form around it.
  sealed interface Data extends UploadFormat {}

  /// Arrow data. If its bytes indicate the other of its formats, they take precedence.
  record Arrow(BodyFormat format, ColumnRenames renames) implements Data {}

  /// A file of another format.
  record Foreign(FileOptions options) implements Data {}

  /// A statement, whose result is the data.
  record Sql(List<Parameter> parameters) implements Data {}

  /// Arrow data or a file of another format, as the bytes say.
  ///
  /// @param options the parameters about files of other formats
  /// @param isJson whether text is JSON if it begins as JSON, even if it is not rows
  /// @param mayReplace whether text may replace data with other columns
  /// @param isInForm whether the data is a part of a form
  record Undeclared(
      Map<String, List<String>> options, boolean isJson, boolean mayReplace, boolean isInForm)
      implements Data {}

  /// A form that has the data in a part.
  ///
  /// @param options the parameters about files of other formats
  /// @param defaultName the dataset to create or replace if the form names none, or null
  record Form(
      Boundary boundary, Map<String, List<String>> options, @Nullable DatasetName defaultName)
      implements UploadFormat {}

  /// Returns the format of a body that is not stored, as `Content-Type` declares it. For a generic
  /// type, the content decides, and any JSON is JSON.
  ///
  /// @throws ProblemException 415 if the media type is unsupported, 400 if the body is partial or
  ///   an option is invalid
  static Data of(RequestHead head) {
    requireWhole(head);
    Undeclared undeclared =
        new Undeclared(
            head.parameters(), /* isJson= */ true, /* mayReplace= */ true, /* isInForm= */ false);
    return of(head.contentType(), /* fileName= */ null, undeclared, ACCEPTED);
  }

  /// Returns the format of a body that is stored, or whose result is, as `Content-Type` declares
  /// it.
  ///
  /// @throws ProblemException 415 if the media type is unsupported, 400 if the body is partial or
  ///   an option is invalid
  static Data ofStored(RequestHead head) {
    String mediaType = ParameterizedValue.withoutParameters(head.contentType());
    if (!mediaType.equals(MediaTypes.SQL)) {
      requireWhole(head);
      boolean mayReplace = head.header("If-Match") != null;
      Undeclared undeclared =
          new Undeclared(
              head.parameters(), isJson(head.contentType()), mayReplace, /* isInForm= */ false);
      return of(head.contentType(), /* fileName= */ null, undeclared, STORABLE);
    }
    requireWhole(head);
    requireNoOptions(
        head.parameters(),
        Stream.concat(FileOptions.PREFIXES.stream(), Stream.of(ColumnRenames.PARAMETER)).toList(),
        "a statement");
    return new Sql(SqlRequest.parameters(head));
  }

  /// Returns the format that the suffix of the path declares, or else `Content-Type`.
  ///
  /// @throws ProblemException 415 if the media type is unsupported, 400 if the body is partial, an
  ///   option is invalid, or suffix and media type differ
  static Data of(RequestHead head, DatasetPath path) {
    requireWhole(head);
    String mediaType = ParameterizedValue.withoutParameters(head.contentType());
    Format suffixed = path.format();
    if (suffixed == null) {
      return ofStored(head);
    }
    requireSame(suffixed, mediaType);
    return suffixed.family() == Format.Family.ARROW
        ? arrow(body(suffixed), head.parameters())
        : foreign(suffixed, withParameters(head.contentType(), head.parameters()));
  }

  private static Arrow arrow(BodyFormat format, Map<String, List<String>> options) {
    requireNoOptions(options);
    return new Arrow(format, renames(options));
  }

  /// Rejects options of files of other formats, and parameters of statements.
  ///
  /// @throws ProblemException 400 if there is one
  static void requireNoOptions(Map<String, List<String>> options) {
    requireNoOptions(
        options,
        Stream.concat(FileOptions.PREFIXES.stream(), Stream.of(SqlRequest.PARAMETER_PREFIX))
            .toList(),
        "Arrow data");
  }

  /// @param found the format that does not have them
  private static void requireNoOptions(
      Map<String, List<String>> options, List<String> prefixes, String found) {
    for (String name : options.keySet()) {
      if (prefixes.stream().anyMatch(name::startsWith)) {
        String expected =
            name.startsWith(SqlRequest.PARAMETER_PREFIX)
                ? "a statement"
                : "a file of another format";
        throw Problem.badRequest(
            "Expected %s but found %s at parameter %s"
                .formatted(expected, found, Excerpt.of(name, Problem.QUOTE_LENGTH)),
            "Leave out %s, or state the format by the suffix of the path or by Content-Type."
                .formatted(Excerpt.of(name, Problem.QUOTE_LENGTH)));
      }
    }
  }

  private static void requireSame(Format suffixed, String mediaType) {
    boolean isText = suffixed.family() == Format.Family.TEXT;
    boolean isGeneric = GENERIC.contains(mediaType) && (isText || !mediaType.equals("text/plain"));
    if (isGeneric || isText && mediaType.equals(SPREADSHEET)) {
      return;
    }
    Format typed = Format.ofMediaType(mediaType);
    boolean json = suffixed == Format.JSON_LINES && typed == Format.JSON;
    // Of the two formats of Arrow, the bytes tell which it is.
    boolean isArrow =
        typed != null
            && typed.family() == Format.Family.ARROW
            && suffixed.family() == Format.Family.ARROW;
    if (typed != suffixed && !json && !isArrow) {
      throw differs(suffixed.mediaTypes().getFirst(), mediaType);
    }
  }

  private static ProblemException differs(String suffixed, String mediaType) {
    return Problem.badRequest(
        "Expected %s, as the suffix of the path says, but found %s at header Content-Type"
            .formatted(suffixed, mediaType),
        mediaType.equals(FORM)
            ? WITHOUT_FORM
            : "Leave out Content-Type, or give the path the suffix of what you send.");
  }

  private static @Nullable BodyFormat arrow(String mediaType) {
    Format typed = Format.ofMediaType(mediaType);
    return typed == null || typed.family() != Format.Family.ARROW ? null : body(typed);
  }

  private static BodyFormat body(Format arrow) {
    return arrow == Format.FILE ? BodyFormat.FILE : BodyFormat.STREAM;
  }

  /// Returns the format of data in a form.
  ///
  /// @param fileName the name that the client gives the file, or null
  /// @throws ProblemException 415 if the media type is unsupported, 400 if an option is invalid
  static Data of(
      @Nullable String contentType, @Nullable String fileName, Map<String, List<String>> options) {
    Undeclared undeclared =
        new Undeclared(options, isJson(contentType), /* mayReplace= */ false, /* isInForm= */ true);
    return of(contentType, fileName, undeclared, ACCEPTED);
  }

  private static boolean isJson(@Nullable String contentType) {
    return ParameterizedValue.withoutParameters(contentType).equals(Format.JSON.mediaType());
  }

  /// @param undeclared the format for a generic media type, with the options of all formats
  private static Data of(
      @Nullable String contentType,
      @Nullable String fileName,
      Undeclared undeclared,
      String accepted) {
    Map<String, List<String>> options = undeclared.options();
    String mediaType = ParameterizedValue.withoutParameters(contentType);
    Format named = fileName == null ? null : foreign(Format.ofName(fileName));
    if (GENERIC.contains(mediaType)) {
      return named == null ? undeclared : foreign(named, options);
    }
    BodyFormat arrow = arrow(mediaType);
    if (arrow != null) {
      return arrow(arrow, options);
    }
    Format typed = Format.ofMediaType(mediaType);
    if (typed == null && mediaType.equals(SPREADSHEET)) {
      typed = named;
    }
    if (typed == null) {
      throw unsupported(accepted, mediaType);
    }
    return foreign(typed, withParameters(contentType, options));
  }

  /// Returns a format unless it is Arrow's, whose bytes tell which.
  private static @Nullable Format foreign(@Nullable Format format) {
    return format == null || format.family() == Format.Family.ARROW ? null : format;
  }

  /// Adds what the parameters of a media type say of CSV: RFC 4180 §3.
  private static Map<String, List<String>> withParameters(
      @Nullable String contentType, Map<String, List<String>> options) {
    ParameterizedValue typed = contentType == null ? null : ParameterizedValue.parse(contentType);
    if (typed == null || !typed.value().equals("text/csv")) {
      return options;
    }
    Map<String, List<String>> stated = new HashMap<>(options);
    String header = typed.parameters().get("header");
    if ("absent".equalsIgnoreCase(header) || "present".equalsIgnoreCase(header)) {
      stated.putIfAbsent(
          CsvOptions.PREFIX + "header",
          List.of(Boolean.toString("present".equalsIgnoreCase(header))));
    }
    String charset = typed.parameters().get("charset");
    if (charset != null) {
      stated.putIfAbsent(CsvOptions.PREFIX + "encoding", List.of(charset));
    }
    return stated;
  }

  private static Foreign foreign(Format format, Map<String, List<String>> options) {
    return new Foreign(parse(format, options));
  }

  /// Reads the new names for columns.
  ///
  /// @throws ProblemException 400 if one is invalid
  static ColumnRenames renames(Map<String, List<String>> options) {
    try {
      return ColumnRenames.parse(options);
    } catch (InvalidOptionException e) {
      throw Problem.badRequest(String.valueOf(e.getMessage()), e.hint());
    }
  }

  /// Reads the options of a file of another format.
  ///
  /// @throws ProblemException 400 if one is invalid
  static FileOptions parse(Format format, Map<String, List<String>> options) {
    requireNoOptions(options, List.of(SqlRequest.PARAMETER_PREFIX), "a file");
    try {
      return FileOptions.parse(format, options);
    } catch (InvalidOptionException e) {
      throw Problem.badRequest(String.valueOf(e.getMessage()), e.hint());
    }
  }

  /// Rejects a partial body.
  ///
  /// @throws ProblemException 400 if the body is partial
  static void requireWhole(RequestHead head) {
    // RFC 9110 §14.5: storing a partial body as a complete one would lose the rest.
    if (head.header("Content-Range") != null) {
      throw Problem.badRequest(
          "Expected a complete body but found a partial one at header Content-Range",
          "Send the whole body without Content-Range; a large one may be resumed by Upload-Complete.");
    }
  }

  private static ProblemException unsupported(String accepted, String mediaType) {
    return unsupported(
            "Expected " + accepted + " but found " + mediaType + " at header Content-Type")
        .withHint(mediaType.equals(FORM) ? WITHOUT_FORM : null)
        .asException();
  }

  /// Returns status 415. The advice adds `Accept-Post`.
  static Problem unsupported(String detail) {
    return Problem.of(ProblemType.UNSUPPORTED_MEDIA_TYPE, detail);
  }
}
