package dev.quiver.formats;

import org.jspecify.annotations.Nullable;

/// A parameter by which a file is read, ready to be sent.
///
/// @param option the name of the parameter
/// @param column whose values it concerns, or null for the whole file
public record FileOption(String option, String value, @Nullable String column) {

  /// A parameter for the whole file.
  public FileOption(String option, String value) {
    this(option, value, /* column= */ null);
  }

  /// Returns the parameter for the type of a column.
  ///
  /// @param prefix that of the format's options
  public static FileOption ofType(String prefix, String column, ColumnType type) {
    return new FileOption(prefix + "types", OptionValues.typed(column, type.displayName()), column);
  }
}
