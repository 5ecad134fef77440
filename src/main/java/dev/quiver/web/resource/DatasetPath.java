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

/// A path segment that names a dataset: `flights`, `flights@3`, `flights@3.csv`.
///
/// @param format the format of the suffix, or null if absent
public record DatasetPath(DatasetReference reference, @Nullable DatasetFormat format) {

  private static final String PREFIX = Paths.DATASETS + "/";

  /// The formats that a suffix can select.
  public static final List<DatasetFormat> READABLE =
      Stream.<DatasetFormat>concat(
              Arrays.stream(StoredFormat.values()), Arrays.stream(RowsFormat.values()))
          .toList();

  /// The formats that `Accept` can select, in order of preference. The stream is the default, since
  /// clients can decode it as it arrives.
  public static final List<NegotiatedFormat> NEGOTIATED =
      Stream.<Stream<NegotiatedFormat>>of(
              Stream.of(StoredFormat.STREAM, StoredFormat.FILE),
              Arrays.stream(RowsFormat.values()),
              Arrays.stream(UnsuffixedFormat.values()))
          .flatMap(Function.identity())
          .toList();

  private static final List<DatasetFormat> WRITABLE = List.of(StoredFormat.values());

  /// Parses a segment for a read.
  ///
  /// @throws ProblemException 404 if the dataset name is invalid
  public static DatasetPath parse(String segment) {
    return parse(segment, READABLE, ProblemType.NOT_FOUND);
  }

  /// Parses a segment that other segments follow.
  ///
  /// @throws ProblemException 404 if the dataset name is invalid
  public static DatasetReference parseWithoutSuffix(String segment) {
    try {
      return DatasetReference.parse(segment);
    } catch (IllegalArgumentException e) {
      throw Problem.of(ProblemType.NOT_FOUND, String.valueOf(e.getMessage())).asException();
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
          .asException();
    }
  }

  /// Parses a segment for a write. The suffixes of Arrow data are ignored.
  ///
  /// @throws ProblemException 400 if the dataset name is invalid, 405 if the segment names a
  ///   version or rows as text
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

  /// Returns whether a path is that of a version or of rows as text, which are read-only.
  public static boolean isReadOnly(String path) {
    String segment = path.startsWith(PREFIX) ? path.substring(PREFIX.length()) : "";
    return !segment.contains("/") && (segment.contains("@") || isText(segment));
  }

  private static boolean isText(String segment) {
    return Arrays.stream(RowsFormat.values()).anyMatch(format -> segment.endsWith(format.suffix()));
  }

  private static DatasetPath parse(
      String segment, List<DatasetFormat> formats, ProblemType ifInvalid) {
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
      throw Problem.of(ifInvalid, String.valueOf(e.getMessage())).asException();
    }
  }

  /// Returns the path of an immutable version.
  public static String pinned(VersionSummary summary) {
    return of(summary.name()) + "@" + summary.version();
  }

  /// Returns the path of the latest version. Names contain no characters that a URL escapes.
  public static String of(DatasetName name) {
    return PREFIX + name;
  }
}
