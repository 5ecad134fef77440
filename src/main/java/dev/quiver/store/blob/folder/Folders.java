package dev.quiver.store.blob.folder;

import dev.quiver.arrow.parallel.LruCache;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/// Durable folders: each entry on the path from the root was synced.
///
/// A folder made by another thread or process may not be synced yet, so every thread that first
/// uses it syncs it.
final class Folders {

  private static final int FOLDERS_MAXIMUM = 10_000;

  private final Path root;
  private final boolean syncs;
  private final boolean hasSyncedFolders;
  private final LruCache<Path, Boolean> durable = new LruCache<>(FOLDERS_MAXIMUM);

  /// @param syncs false to leave durability to the file system
  Folders(Path root, boolean syncs) throws IOException {
    this.root = root;
    this.syncs = syncs;
    // Other systems cannot open a folder, and their file systems take care of its entries.
    this.hasSyncedFolders = FilePermissions.isPosix(root);
    Path parent = root.getParent();
    if (parent != null && Files.isReadable(parent)) {
      sync(parent);
    }
  }

  /// Returns whether anything is synced.
  boolean syncs() {
    return syncs;
  }

  /// Creates `folder` below the root with its parents, durably.
  void create(Path folder) throws IOException {
    if (folder.equals(root) || durable.get(folder) != null && Files.isDirectory(folder)) {
      return;
    }
    Path parent = Objects.requireNonNull(folder.getParent());
    create(parent);
    try {
      Files.createDirectory(folder, FilePermissions.ofFolder(folder));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isDirectory(folder)) {
        throw new IOException("Expected a folder but found a file at " + folder, e);
      }
    }
    sync(parent);
    durable.put(folder, true);
  }

  /// Makes the entries of `folder` durable.
  void sync(Path folder) throws IOException {
    force(folder, StandardOpenOption.READ);
  }

  private void force(Path path, OpenOption... options) throws IOException {
    if (syncs && hasSyncedFolders) {
      try (FileChannel channel = FileChannel.open(path, options)) {
        channel.force(true);
      }
    }
  }

  /// Makes the bytes of a file durable that may belong to another user. A link is not followed.
  ///
  /// @return false if the system requires write permission for that
  boolean syncFile(Path file) throws IOException {
    force(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    return hasSyncedFolders;
  }
}
