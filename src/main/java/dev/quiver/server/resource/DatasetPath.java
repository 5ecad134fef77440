package dev.quiver.server.resource;

import dev.quiver.formats.FileCoding;
import dev.quiver.formats.Format;
import dev.quiver.server.http.MethodNotAllowed;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.VersionSummary;
import org.jspecify.annotations.Nullable;

/// A path segment that names a dataset: `flights`, `flights@3`, `flights@3.csv`.
///
/// @param format the format of the suffix, or null if absent
public record DatasetPath(DatasetReference reference, @Nullable Format format) {

  private static final String PREFIX = Paths.DATASETS + "/";

  /// Parses a segment for a read.
  ///
  /// @throws ProblemException 404 if the dataset name is invalid
  public static DatasetPath parse(String segment) {
    return parse(segment, ProblemType.NOT_FOUND);
  }

  /// Parses a segment that other segments follow.
  ///
  /// @throws ProblemException 404 if the dataset name is invalid
  public static DatasetReference parseWithoutSuffix(String segment) {
    return reference(segment, ProblemType.NOT_FOUND);
  }

  /// Parses a segment that names a dataset to write, whose suffix may declare the format of the
  /// body and its coding: `flights`, `flights.arrows`, `flights.csv`, `flights.csv.gz`,
  /// `flights.zip`.
  ///
  /// @throws ProblemException 400 if the dataset name is invalid, 405 if the segment names a
  ///   version
  public static DatasetPath parseWritten(String segment, String method) {
    Format format = Format.ofName(segment);
    DatasetPath path = new DatasetPath(written(segment, format), format);
    if (path.reference.version() != null) {
      throw MethodNotAllowed.readOnly(method).asException();
    }
    return path;
  }

  private static DatasetReference written(String segment, @Nullable Format format) {
    return reference(
        format == null ? FileCoding.withoutSuffix(segment) : format.withoutSuffix(segment),
        ProblemType.BAD_REQUEST);
  }

  /// Returns what a segment names for a method, as its handler finds it; or null if it is invalid.
  ///
  /// @param followed whether other segments follow
  public static @Nullable DatasetReference find(String segment, boolean followed, String method) {
    boolean reads = method.equals("GET") || method.equals("HEAD");
    try {
      if (followed) {
        return parseWithoutSuffix(segment);
      }
      return reads ? parse(segment).reference : written(segment, Format.ofName(segment));
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

  /// @throws ProblemException of the type if the dataset name is invalid
  static DatasetPath parse(String segment, ProblemType ifInvalid) {
    String suffix = suffix(segment);
    Format format = Format.ofSuffix(suffix);
    String text = segment.substring(0, segment.length() - (format == null ? 0 : suffix.length()));
    return new DatasetPath(reference(text, ifInvalid), format);
  }

  private static DatasetReference reference(String text, ProblemType ifInvalid) {
    try {
      return DatasetReference.parse(text);
    } catch (IllegalArgumentException e) {
      throw Problem.of(ifInvalid, String.valueOf(e.getMessage())).asException();
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
