package dev.quiver.store.version;

import org.jspecify.annotations.Nullable;

/// A dataset, or one version of it: `flights` or `flights@3`.
///
/// @param version the number of the version, counted from 1; null for the latest
public record DatasetReference(DatasetName name, @Nullable Long version) {

  /// @throws IllegalArgumentException if the version is less than 1
  public DatasetReference {
    if (version != null && version < 1) {
      throw invalid(version.toString());
    }
  }

  /// Parses a reference to a dataset, which may have any name that a stored dataset may have.
  ///
  /// @throws IllegalArgumentException with the expected syntax in its message, if `text` is invalid
  public static DatasetReference parse(String text) {
    int at = text.indexOf('@');
    if (at < 0) {
      return new DatasetReference(new DatasetName(text), null);
    }
    return new DatasetReference(
        new DatasetName(text.substring(0, at)), parseVersion(text.substring(at + 1)));
  }

  @Override
  public String toString() {
    return version == null ? name.value() : name.value() + "@" + version;
  }

  /// Accepts digits without a leading zero, so that each version has one spelling.
  private static long parseVersion(String text) {
    if (!text.matches("[1-9][0-9]{0,17}")) {
      throw invalid("\"" + text + "\"");
    }
    return Long.parseLong(text);
  }

  private static IllegalArgumentException invalid(String found) {
    return new IllegalArgumentException(
        "Expected a version number from 1 but found " + found + " after @");
  }
}
