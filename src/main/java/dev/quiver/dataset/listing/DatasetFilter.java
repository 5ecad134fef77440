package dev.quiver.dataset.listing;

import java.util.Locale;

/// A condition on the names of a list of datasets.
///
/// @param prefix the start of each name, in the same case
/// @param text a part of each name, in any case
public record DatasetFilter(String prefix, String text) {

  /// The filter that every name passes.
  public static final DatasetFilter ALL = new DatasetFilter("", "");

  public DatasetFilter {
    text = text.toLowerCase(Locale.ROOT);
  }

  /// Returns whether a name passes.
  public boolean matches(String name) {
    return name.startsWith(prefix) && name.toLowerCase(Locale.ROOT).contains(text);
  }
}
