package dev.quiver.sql.syntax;

import java.util.List;

/// The names that the principal of a statement may read. Hints tell no others.
public interface ReadableNames {

  /// Returns whether a name is that of a dataset, or of a version of one, that can be read.
  boolean isDataset(String name);

  /// Returns the names of a dataset's columns, or an empty list if it cannot be read.
  List<String> columns(String dataset);
}
