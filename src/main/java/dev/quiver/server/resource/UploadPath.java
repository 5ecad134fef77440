package dev.quiver.server.resource;

import dev.quiver.formats.ForeignFormat;
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
/// @param arrow the Arrow format of the suffix, or null
/// @param foreign the other format of the suffix, or null
public record UploadPath(
    DatasetName name, @Nullable StoredFormat arrow, @Nullable ForeignFormat foreign) {

  /// @throws ProblemException 400 if the dataset name is invalid, 405 if the segment names a
  ///   version
  public static UploadPath parse(String segment, String method) {
    ForeignFormat foreign = ForeignFormat.ofName(segment);
    DatasetPath path =
        foreign == null
            ? DatasetPath.parse(segment, ProblemType.BAD_REQUEST)
            : new DatasetPath(reference(segment.substring(0, segment.lastIndexOf('.'))), null);
    if (path.reference().version() != null) {
      throw MethodNotAllowed.readOnly(method).asException();
    }
    StoredFormat arrow = path.format() instanceof StoredFormat stored ? stored : null;
    return new UploadPath(path.name(), arrow, foreign);
  }

  /// Returns what a segment names, as [#parse] finds it, whatever the version; or null if it is
  /// invalid.
  static @Nullable DatasetReference find(String segment) {
    try {
      return ForeignFormat.ofName(segment) == null
          ? DatasetPath.parse(segment).reference()
          : reference(segment.substring(0, segment.lastIndexOf('.')));
    } catch (ProblemException invalid) {
      return null;
    }
  }

  private static DatasetReference reference(String text) {
    try {
      return DatasetReference.parse(text);
    } catch (IllegalArgumentException e) {
      throw Problem.of(ProblemType.BAD_REQUEST, String.valueOf(e.getMessage())).asException();
    }
  }
}
