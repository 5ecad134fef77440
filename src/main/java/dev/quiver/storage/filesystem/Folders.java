package dev.quiver.storage.filesystem;

import dev.quiver.memory.LruCache;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/// Folders that are durable: each entry on the way down from the root was synced.
///
/// Whether another thread or process made a folder says nothing about whether it has synced it yet,
/// so that a folder is synced by everyone who meets it first.
final class Folders {

  private static final int FOLDERS_MAXIMUM = 10_000;

  private final Path root;
  private final boolean syncs;
  private final boolean hasSyncedFolders;
  private final LruCache<Path, Boolean> durable = new LruCache<>(FOLDERS_MAXIMUM);

  /// @param syncs false: nothing is durable before the file system makes it so
  Folders(Path root, boolean syncs) throws IOException {
    this.root = root;
    this.syncs = syncs;
    // Elsewhere a folder cannot be opened, and its entries are the file system's business.
    this.hasSyncedFolders = root.getFileSystem().supportedFileAttributeViews().contains("posix");
    Path parent = root.getParent();
    if (parent != null && Files.isReadable(parent)) {
      sync(parent);
    }
  }

  /// Whether anything is synced.
  boolean syncs() {
    return syncs;
  }

  /// Creates `folder`, which is below the root, with its parents; durably.
  void create(Path folder) throws IOException {
    if (folder.equals(root) || durable.get(folder) != null && Files.isDirectory(folder)) {
      return;
    }
    Path parent = Objects.requireNonNull(folder.getParent());
    create(parent);
    try {
      Files.createDirectory(folder);
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
    if (syncs && hasSyncedFolders) {
      try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  /// Makes the bytes of a file durable that may belong to somebody else.
  ///
  /// @return false where only who may write a file can do that
  boolean syncFile(Path file) throws IOException {
    sync(file);
    return hasSyncedFolders;
  }
}
