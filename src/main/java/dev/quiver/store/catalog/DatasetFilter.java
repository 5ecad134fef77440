package dev.quiver.store.catalog;

import dev.quiver.store.access.Permissions;
import java.util.Locale;

/// A condition on the names of a list of datasets.
///
/// @param prefix the start of each name, in the same case
/// @param text a part of each name, in any case
/// @param permissions those to read each name
public record DatasetFilter(String prefix, String text, Permissions permissions) {

  /// The filter that every name passes.
  public static final DatasetFilter ALL = new DatasetFilter("", "", Permissions.ADMIN);

  public DatasetFilter {
    text = text.toLowerCase(Locale.ROOT);
  }

  /// Returns whether a name passes.
  public boolean matches(String name) {
    return name.startsWith(prefix)
        && name.toLowerCase(Locale.ROOT).contains(text)
        && permissions.mayRead(name);
  }
}
