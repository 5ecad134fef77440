package dev.quiver.store.blob.folder;

import dev.quiver.store.blob.BlobKeys;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// One page of keys, in byte order across all folders, or of the folders that have them.
///
/// Per level, it holds at most as many names of a folder as a page has, or
/// [LargeFolders#LEAST_NAMES]. For more names, the folder is read again, unless its names are
/// cached. Folders that cannot contain a key of the page are not opened, and only entries of the
/// page are examined.
final class FolderListing {

  private final Path root;
  private final LargeFolders large;
  private final String prefix;
  private final @Nullable String after;
  private final int limit;
  private final List<String> keys = new ArrayList<>();
  private boolean ofFolders;

  FolderListing(Path root, LargeFolders large, String prefix, @Nullable String after, int limit) {
    this.root = root;
    this.large = large;
    this.prefix = prefix;
    this.after = after;
    this.limit = limit;
  }

  List<String> keys() throws IOException {
    walk(root, "");
    return keys;
  }

  /// Returns the folders right below the folder of the prefix, without looking into them.
  List<String> folders() throws IOException {
    ofFolders = true;
    return keys();
  }

  /// Adds the keys of a folder.
  ///
  /// @param folderKey the prefix of its keys: empty, or a path that ends in `/`
  private void walk(Path folder, String folderKey) throws IOException {
    String rest = prefix.length() > folderKey.length() ? prefix.substring(folderKey.length()) : "";
    int slash = rest.indexOf('/');
    if (slash >= 0) {
      String onlyChild = rest.substring(0, slash);
      if (BlobKeys.isSegment(onlyChild)) {
        walk(folder.resolve(onlyChild), folderKey + onlyChild + "/");
      }
      return;
    }
    PriorityQueue<String> entries = new PriorityQueue<>();
    String next = "";
    while (next != null) {
      next = read(folder, folderKey, next, entries);
      while (keys.size() < limit && isBefore(entries.peek(), next)) {
        take(entries.remove(), entries);
      }
      next = keys.size() < limit ? next : null;
    }
  }

  private void take(String entry, PriorityQueue<String> entries) throws IOException {
    if (entry.endsWith("/") && !ofFolders) {
      walk(root.resolve(entry), entry);
    } else if (!entry.endsWith("/") && (ofFolders || Files.isDirectory(root.resolve(entry)))) {
      // A folder's keys continue with "/", which sorts after some characters of longer names.
      entries.add(entry + "/");
    } else if (after == null || entry.compareTo(after) > 0) {
      keys.add(entry);
    }
  }

  private static boolean isBefore(@Nullable String entry, @Nullable String next) {
    return entry != null && (next == null || entry.compareTo(next) < 0);
  }

  /// Adds the first entries of a folder from `from` on.
  ///
  /// @return the first omitted entry, or null if none was omitted
  private @Nullable String read(
      Path folder, String folderKey, String from, PriorityQueue<String> entries)
      throws IOException {
    FolderNames known = large.names(folder);
    return known == null
        ? readAll(folder, folderKey, from, entries)
        : readKnown(known, folderKey, from, entries);
  }

  private @Nullable String readAll(
      Path folder, String folderKey, String from, PriorityQueue<String> entries)
      throws IOException {
    PriorityQueue<String> first = new PriorityQueue<>(Comparator.reverseOrder());
    String next = null;
    int count = 0;
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        count++;
        String name = path.getFileName().toString();
        String key = folderKey + name;
        // In a large folder, most names sort after an omitted one and cost no more than this check.
        if (isBefore(key, next) && isCandidate(key, from) && BlobKeys.isSegment(name)) {
          first.add(key);
          if (first.size() > namesMaximum()) {
            String leftOut = first.remove();
            next = isBefore(leftOut, next) ? leftOut : next;
          }
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      // Nothing was ever put there.
    }
    if (count > LargeFolders.LEAST_NAMES) {
      large.note(folder);
    }
    entries.addAll(first);
    return next;
  }

  private @Nullable String readKnown(
      FolderNames known, String folderKey, String from, PriorityQueue<String> entries) {
    String least = greater(rest(from, folderKey), rest(prefix, folderKey));
    String last = after == null ? "" : rest(after, folderKey);
    if (last.compareTo(least) > 0) {
      // An earlier name may be a folder that contains `last`, or whose keys sort after it.
      int slash = last.indexOf('/');
      int longest = slash < 0 ? last.length() - 1 : slash;
      for (int length = 1; length <= longest; length++) {
        String start = last.substring(0, length);
        if (known.contains(start) && isCandidate(folderKey + start, from)) {
          entries.add(folderKey + start);
        }
      }
      least = last;
    }
    int count = 0;
    for (int index = known.firstFrom(least); index < known.size(); index++) {
      String key = folderKey + known.get(index);
      if (count == namesMaximum()) {
        return key;
      }
      if (isCandidate(key, from)) {
        entries.add(key);
        count++;
      } else if (!key.startsWith(prefix) && key.compareTo(prefix) > 0) {
        return null;
      }
    }
    return null;
  }

  /// Returns the part of a key that follows the folder's own.
  private static String rest(String key, String folderKey) {
    return key.startsWith(folderKey) ? key.substring(folderKey.length()) : "";
  }

  private static String greater(String one, String other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  private int namesMaximum() {
    return Math.max(limit, LargeFolders.LEAST_NAMES);
  }

  /// Returns whether an entry from `from` on may belong to the page.
  private boolean isCandidate(String key, String from) {
    return key.startsWith(prefix)
        && key.compareTo(from) >= 0
        && mayFollow(key)
        && !key.equals(FolderBlobStore.TEMPORARY);
  }

  /// Returns whether `key`, or a key below it if it is a folder, sorts after `after`.
  private boolean mayFollow(String key) {
    if (after == null || key.compareTo(after) > 0) {
      return true;
    }
    if (!after.startsWith(key)) {
      return false;
    }
    String asFolder = key + "/";
    return asFolder.compareTo(after) > 0 || after.startsWith(asFolder);
  }
}
