package dev.quiver.web;

import dev.quiver.dataset.DatasetName;
import dev.quiver.dataset.DatasetReference;
import dev.quiver.dataset.VersionSummary;
import org.jspecify.annotations.Nullable;

/// The segment of a path that names a dataset: `flights`, `flights@3`, `flights@3.arrow`.
///
/// @param format what the suffix asks for, or null without one
record DatasetPath(DatasetReference reference, @Nullable StoredFormat format) {

  /// Reads a segment of a path that is to be read from.
  ///
  /// @throws ProblemException 404 when no dataset can have this name
  static DatasetPath parse(String segment) {
    return parse(segment, ProblemType.NOT_FOUND);
  }

  /// Reads a segment that stands before another one.
  ///
  /// @throws ProblemException 404 when no dataset can have this name
  static DatasetReference parseWithoutSuffix(String segment) {
    try {
      return DatasetReference.parse(segment);
    } catch (IllegalArgumentException e) {
      throw Problem.of(ProblemType.NOT_FOUND, String.valueOf(e.getMessage())).asException();
    }
  }

  /// Reads a segment of a path that is to be written to; a suffix is as good as none.
  ///
  /// @throws ProblemException 400 when no dataset can have this name, 405 when it names a version
  static DatasetName parseForWrite(String segment, String method) {
    DatasetReference reference = parse(segment, ProblemType.BAD_REQUEST).reference();
    if (reference.version() != null) {
      throw MethodNotAllowed.problem(method, new String[] {"GET"}).asException();
    }
    return reference.name();
  }

  private static DatasetPath parse(String segment, ProblemType otherwise) {
    StoredFormat format = null;
    String text = segment;
    for (StoredFormat candidate : StoredFormat.values()) {
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
  static String pinned(VersionSummary summary) {
    return of(summary.name()) + "@" + summary.version();
  }

  /// The path of the newest version. Names hold nothing that a URL escapes.
  static String of(DatasetName name) {
    return "/datasets/" + name;
  }
}
