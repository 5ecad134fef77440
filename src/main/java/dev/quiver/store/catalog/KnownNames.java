package dev.quiver.store.catalog;

import dev.quiver.arrow.memory.NearestName;
import dev.quiver.store.access.Permissions;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.StoreKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The names of datasets that this process has seen, for suggestions, which never ask the store.
/// Some may have been deleted by other processes since. Shared by threads.
public final class KnownNames {

  /// The number of names that are kept, and compared for a suggestion: a few milliseconds.
  private static final int MAXIMUM = 5_000;

  private static final int DIGITS_AND_LETTERS = 36;

  private final Set<String> names = ConcurrentHashMap.newKeySet();

  /// Adds the name of a dataset, unless enough are known.
  void add(String name) {
    if (names.size() < MAXIMUM) {
      names.add(name);
    }
  }

  /// Removes the name of a dataset that does not exist.
  void remove(String name) {
    names.remove(name);
  }

  /// Adds the names of datasets by their folders or manifests.
  void addAll(List<String> keys) {
    for (String key : keys) {
      String name = StoreKeys.name(key);
      // Other programs may have folders of their own.
      if (!name.isEmpty() && DatasetName.mayStartWith(name)) {
        add(name);
      }
    }
  }

  /// Returns whether a dataset may exist that may be read.
  public boolean contains(String name, Permissions permissions) {
    return names.contains(name) && permissions.mayRead(name);
  }

  /// Returns the name among those that may be read that a misspelt one probably means, or null.
  public @Nullable String nearest(String misspelt, Permissions permissions) {
    if (misspelt.length() > DatasetName.LENGTH_MAXIMUM) {
      return null;
    }
    int most = misspelt.length() / 2;
    long letters = letters(misspelt);
    List<String> words = List.of(misspelt.split("[._-]"));
    List<String> similar = new ArrayList<>();
    for (String name : names) {
      // Each letter that only the misspelt name has differs.
      boolean mayBeNear =
          Long.bitCount(letters & ~letters(name)) <= most
              || words.stream().anyMatch(name::contains);
      if (mayBeNear && permissions.mayRead(name)) {
        similar.add(name);
      }
    }
    similar.sort(null);
    return NearestName.near(misspelt, similar);
  }

  /// Returns a bit for each letter, whatever its case, and for each digit of a name.
  private static long letters(String name) {
    long letters = 0;
    for (int i = 0; i < name.length(); i++) {
      int value = Character.digit(name.charAt(i), DIGITS_AND_LETTERS);
      letters |= value < 0 ? 0 : 1L << value;
    }
    return letters;
  }
}
