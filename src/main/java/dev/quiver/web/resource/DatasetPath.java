package dev.quiver.web.resource;

import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.DatasetReference;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.web.problem.MethodNotAllowed;
import dev.quiver.web.problem.Problem;
import dev.quiver.web.problem.ProblemException;
import dev.quiver.web.problem.ProblemType;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The segment of a path that names a dataset: `flights`, `flights@3`, `flights@3.csv`.
///
/// @param format what the suffix asks for, or null without one
public record DatasetPath(DatasetReference reference, @Nullable DatasetFormat format) {

  private static final String PREFIX = Paths.DATASETS + "/";

  /// The formats that a suffix asks for.
  public static final List<DatasetFormat> READABLE =
      Stream.<DatasetFormat>concat(
              Arrays.stream(StoredFormat.values()), Arrays.stream(RowsFormat.values()))
          .toList();

  /// The formats that `Accept` asks for, in the order of preference: a client without preferences
  /// can start to read a stream.
  public static final List<NegotiatedFormat> NEGOTIATED =
      Stream.<Stream<NegotiatedFormat>>of(
              Stream.of(StoredFormat.STREAM, StoredFormat.FILE),
              Arrays.stream(RowsFormat.values()),
              Stream.of(HtmlFormat.HTML, MultipartMixedFormat.MULTIPART_MIXED))
          .flatMap(Function.identity())
          .toList();

  private static final List<DatasetFormat> WRITABLE = List.of(StoredFormat.values());

  /// Reads a segment of a path that is to be read from.
  ///
  /// @throws ProblemException 404 when no dataset can have this name
  public static DatasetPath parse(String segment) {
    return parse(segment, READABLE, ProblemType.NOT_FOUND);
  }

  /// Reads a segment that stands before another one.
  ///
  /// @throws ProblemException 404 when no dataset can have this name
  public static DatasetReference parseWithoutSuffix(String segment) {
    try {
      return DatasetReference.parse(segment);
    } catch (IllegalArgumentException e) {
      throw Problem.of(ProblemType.NOT_FOUND, String.valueOf(e.getMessage())).asException();
    }
  }

  /// @throws ProblemException 404 for what only whole datasets have
  public static void requireNoVersion(DatasetReference reference) {
    if (reference.version() != null) {
      throw Problem.of(
              ProblemType.NOT_FOUND,
              "Expected a dataset but found one version of it at " + reference)
          .asException();
    }
  }

  /// Reads a segment of a path that is to be written to; the suffix of Arrow data is as good as
  /// none.
  ///
  /// @throws ProblemException 400 when no dataset can have this name, 405 when it names a version
  ///   or rows as text
  public static DatasetName parseForWrite(String segment, String method) {
    if (isText(segment)) {
      throw MethodNotAllowed.readOnly(method).asException();
    }
    DatasetReference reference = parse(segment, WRITABLE, ProblemType.BAD_REQUEST).reference();
    if (reference.version() != null) {
      throw MethodNotAllowed.readOnly(method).asException();
    }
    return reference.name();
  }

  /// Whether a path of the service is that of a version, or of rows as text, neither of which is
  /// ever written to.
  public static boolean isReadOnly(String path) {
    String segment = path.startsWith(PREFIX) ? path.substring(PREFIX.length()) : "";
    return !segment.contains("/") && (segment.contains("@") || isText(segment));
  }

  private static boolean isText(String segment) {
    return Arrays.stream(RowsFormat.values()).anyMatch(format -> segment.endsWith(format.suffix()));
  }

  private static DatasetPath parse(
      String segment, List<DatasetFormat> formats, ProblemType otherwise) {
    DatasetFormat format = null;
    String text = segment;
    for (DatasetFormat candidate : formats) {
      if (segment.endsWith(candidate.suffix())) {
        format = candidate;
        text = segment.substring(0, segment.length() - candidate.suffix().length());
      }
    }
    try {
      return new DatasetPath(DatasetReference.parse(text), format);
    } catch (IllegalArgumentException e) {
      throw Problem.of(otherwise, String.valueOf(e.getMessage())).asException();
    }
  }

  /// The path of a version that never changes.
  public static String pinned(VersionSummary summary) {
    return of(summary.name()) + "@" + summary.version();
  }

  /// The path of the newest version. Names hold nothing that a URL escapes.
  public static String of(DatasetName name) {
    return PREFIX + name;
  }
}
