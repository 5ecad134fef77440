package dev.quiver.server.resource;

import dev.quiver.formats.Format;
import dev.quiver.server.http.MethodNotAllowed;
import dev.quiver.server.http.Problem;
import dev.quiver.server.http.ProblemException;
import dev.quiver.server.http.ProblemType;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.DatasetReference;
import org.jspecify.annotations.Nullable;

/// A path segment that names a dataset to write, whose suffix may declare the format of the body:
/// `flights`, `flights.arrows`, `flights.csv`.
///
/// @param format the format of the suffix, or null if absent
public record UploadPath(DatasetName name, @Nullable Format format) {

  /// @throws ProblemException 400 if the dataset name is invalid, 405 if the segment names a
  ///   version
  public static UploadPath parse(String segment, String method) {
    Format format = Format.ofName(segment);
    DatasetReference reference = reference(segment, format);
    if (reference.version() != null) {
      throw MethodNotAllowed.readOnly(method).asException();
    }
    return new UploadPath(reference.name(), format);
  }

  /// Returns what a segment names, as [#parse] finds it, whatever the version; or null if it is
  /// invalid.
  static @Nullable DatasetReference find(String segment) {
    try {
      return reference(segment, Format.ofName(segment));
    } catch (ProblemException invalid) {
      return null;
    }
  }

  private static DatasetReference reference(String segment, @Nullable Format format) {
    try {
      return DatasetReference.parse(format == null ? segment : format.withoutSuffix(segment));
    } catch (IllegalArgumentException e) {
      throw Problem.of(ProblemType.BAD_REQUEST, String.valueOf(e.getMessage())).asException();
    }
  }
}
