package dev.quiver.server.resource;

import dev.quiver.arrow.memory.Excerpt;
import dev.quiver.formats.FileCoding;
import dev.quiver.formats.Format;
import dev.quiver.server.http.MethodNotAllowed;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.server.http.PublicPath;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A path segment that names a dataset: `flights`, `flights@3`, `flights@3.csv`.
///
/// A segment has no suffix if it is an [earlier name][dev.quiver.store.catalog.EarlierNames], which
/// callers pass: `flights.tsv`.
///
/// @param format the format of the suffix, or null if absent
public record DatasetPath(DatasetReference reference, @Nullable Format format) {

  private static final String PREFIX = Paths.DATASETS + "/";

  /// Parses a segment for a read.
  ///
  /// @throws ProblemException 404 if the dataset name is invalid
  public static DatasetPath parse(String segment, Set<String> earlier) {
    String suffix = suffix(segment);
    Format format = earlier.contains(segment) ? null : Format.ofSuffix(suffix);
    String text = segment.substring(0, segment.length() - (format == null ? 0 : suffix.length()));
    return new DatasetPath(reference(text, ProblemType.NOT_FOUND), format);
  }

  /// Parses a segment that other segments follow.
  ///
  /// @throws ProblemException 404 if the dataset name is invalid
  public static DatasetReference parseWithoutSuffix(String segment) {
    return reference(segment, ProblemType.NOT_FOUND);
  }

  /// Parses a segment that names a dataset to write, whose suffix may declare the format of the
  /// body and its coding: `flights`, `flights.arrows`, `flights.csv`, `flights.csv.gz`,
  /// `flights.zip`; `flights.txt`, whose bytes tell the format.
  ///
  /// @throws ProblemException 400 if the dataset name is invalid, 405 if the segment names a
  ///   version
  public static DatasetPath parseWritten(String segment, String method, Set<String> earlier) {
    DatasetPath path = written(segment, earlier);
    if (path.reference.version() != null) {
      throw MethodNotAllowed.readOnly(method)
          .withHint(
              "A version never changes: write to %s, which adds one."
                  .formatted(PublicPath.prefix() + of(path.reference.name())))
          .asException();
    }
    return path;
  }

  private static DatasetPath written(String segment, Set<String> earlier) {
    if (earlier.contains(segment)) {
      return new DatasetPath(reference(segment, ProblemType.BAD_REQUEST), null);
    }
    Format format = Format.ofName(segment);
    DatasetReference reference =
        reference(
            format == null ? withoutSuffix(segment) : format.withoutSuffix(segment),
            ProblemType.BAD_REQUEST);
    if (!earlier.contains(reference.name().value())) {
      requireNew(reference.name());
    }
    return new DatasetPath(reference, format);
  }

  /// Rejects a name that no new dataset can get.
  ///
  /// @throws ProblemException 400
  public static void requireNew(DatasetName name) {
    try {
      var _ = DatasetName.parseNew(name.value());
    } catch (IllegalArgumentException e) {
      String possible = name.value().replaceFirst("\\.([^.]*)$", "-$1");
      throw Problem.of(ProblemType.BAD_REQUEST, String.valueOf(e.getMessage()))
          .withHint("Choose another name, such as %s.".formatted(possible))
          .asException();
    }
  }

  /// Returns the name of a file without a suffix that says nothing of its format: that of a coding,
  /// or of a file of text.
  private static String withoutSuffix(String segment) {
    String name = Format.TABLE.withoutSuffix(segment);
    return name.equals(segment) ? FileCoding.withoutSuffix(segment) : name;
  }

  /// Returns what a segment names for a method, as its handler finds it; or null if it is invalid.
  ///
  /// @param followed whether other segments follow
  public static @Nullable DatasetReference find(
      String segment, boolean followed, String method, Set<String> earlier) {
    boolean reads = method.equals("GET") || method.equals("HEAD");
    try {
      if (followed) {
        return parseWithoutSuffix(segment);
      }
      return (reads ? parse(segment, earlier) : written(segment, earlier)).reference;
    } catch (ProblemException invalid) {
      return null;
    }
  }

  /// Rejects a version, for resources that only whole datasets have.
  ///
  /// @throws ProblemException 404 if the reference has a version
  public static void requireNoVersion(DatasetReference reference) {
    if (reference.version() != null) {
      throw Problem.of(
              ProblemType.NOT_FOUND,
              "Expected a dataset but found one version of it at " + reference)
          .withHint("Leave out @%d.".formatted(reference.version()))
          .asException();
    }
  }

  public DatasetName name() {
    return reference.name();
  }

  /// Returns whether a path denotes a version, which is read-only.
  public static boolean isReadOnly(String path) {
    String segment = path.startsWith(PREFIX) ? path.substring(PREFIX.length()) : "";
    return !segment.contains("/") && segment.contains("@");
  }

  private static DatasetReference reference(String text, ProblemType ifInvalid) {
    try {
      return DatasetReference.parse(text);
    } catch (IllegalArgumentException e) {
      Problem invalid = Problem.of(ifInvalid, String.valueOf(e.getMessage()));
      throw (ifInvalid == ProblemType.BAD_REQUEST ? invalid.withHint(otherName(text)) : invalid)
          .asException();
    }
  }

  /// Returns the dataset name that a request states elsewhere than in its path.
  ///
  /// @throws ProblemException 400, with the beginning of a long name
  public static DatasetName name(String text) {
    try {
      return new DatasetName(text);
    } catch (IllegalArgumentException e) {
      throw Problem.badRequest(
          Excerpt.of(String.valueOf(e.getMessage()), 4 * Problem.QUOTE_LENGTH), otherName(text));
    }
  }

  /// Returns a hint with a name that resembles an invalid one, or null if none does.
  private static @Nullable String otherName(String text) {
    try {
      return "Choose another name, such as %s.".formatted(DatasetName.ofFile(text));
    } catch (IllegalArgumentException noLetters) {
      return null;
    }
  }

  /// Returns the text from the last dot on, or all of it without a dot.
  private static String suffix(String segment) {
    return segment.substring(Math.max(segment.lastIndexOf('.'), 0));
  }

  /// Returns the path of an immutable version.
  public static String pinned(VersionSummary summary) {
    return of(summary.name()) + "@" + summary.version();
  }

  /// Returns the path of what a reference means.
  public static String of(DatasetReference reference) {
    return PREFIX + reference;
  }

  /// Returns the path of the latest version. Names contain no characters that a URL escapes.
  public static String of(DatasetName name) {
    return PREFIX + name;
  }
}
