package dev.quiver.store.blob.folder;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobKeys;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.blob.StorageFullException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A store of blobs as files of one folder: the key is the path below it.
///
/// A put writes a file in `tmp`, syncs it, links it under its key and syncs the folder. The link
/// fails if the key exists. Several processes may share the folder.
public final class FolderBlobStore implements BlobStore {

  static final String TEMPORARY = "tmp";

  private final Path root;
  private final Folders folders;
  private final LargeFolders large;
  private final SpaceReserve reserve;

  private FolderBlobStore(Path root, Folders folders, LargeFolders large) {
    this.root = root;
    this.folders = folders;
    this.large = large;
    this.reserve = new SpaceReserve(root);
    reserve.fill();
  }

  /// Opens the store in `root`, which is created if missing. Removes leftovers of crashes.
  public static FolderBlobStore open(Path root) throws IOException {
    return open(root, /* syncs= */ true);
  }

  /// Opens the store like [#open(Path)].
  ///
  /// @param syncs whether files and folders are synced
  public static FolderBlobStore open(Path root, boolean syncs) throws IOException {
    return open(root, syncs, System::nanoTime);
  }

  /// @param nanoClock a clock like [System#nanoTime]
  static FolderBlobStore open(Path root, boolean syncs, LongSupplier nanoClock) throws IOException {
    Path absolute = root.toAbsolutePath().normalize();
    try {
      Files.createDirectories(absolute, FilePermissions.ofFolder(absolute));
      Path real = absolute.toRealPath();
      Folders folders = new Folders(real, syncs);
      Path temporary = real.resolve(TEMPORARY);
      folders.create(temporary);
      TemporaryFile.removeLeftovers(temporary);
      HardLinks.require(temporary);
      return new FolderBlobStore(real, folders, new LargeFolders(nanoClock));
    } catch (IOException e) {
      throw FolderFailures.translated(e, absolute);
    }
  }

  @Override
  public BlobUpload begin(String key) throws IOException {
    Path target = path(key);
    return new FolderUpload(spool(folders.syncs()), target, folders);
  }

  @Override
  public FolderSpool spool() throws IOException {
    return spool(/* writesBack= */ false);
  }

  private FolderSpool spool(boolean writesBack) throws IOException {
    try {
      return FolderSpool.create(root.resolve(TEMPORARY), writesBack);
    } catch (IOException e) {
      throw FolderFailures.translated(e, root);
    }
  }

  @Override
  public boolean putReserved(String key, MemorySegment content) throws IOException {
    try {
      return putIfAbsent(key, content);
    } catch (StorageFullException e) {
      if (!reserve.release()) {
        throw e;
      }
      return putIfAbsent(key, content);
    } finally {
      reserve.fill();
    }
  }

  @Override
  public boolean hasSpace() {
    return !FolderFailures.hasLittleSpace(root);
  }

  @Override
  public boolean link(String key, Path file) throws IOException {
    Path target = path(key);
    Path folder = Objects.requireNonNull(target.getParent());
    try {
      folders.create(folder);
      if (!folders.syncFile(file) || !link(target, file)) {
        return false;
      }
      // A link to a symbolic link is one, too.
      if (!Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)) {
        Files.delete(target);
        return false;
      }
      folders.sync(folder);
      return true;
    } catch (IOException e) {
      throw FolderFailures.translated(e, root);
    }
  }

  private static boolean link(Path target, Path file) throws IOException {
    try {
      Files.createLink(target, file);
      return true;
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (FileSystemException e) {
      // It is on another file system, belongs to another user, or has too many links.
      return false;
    }
  }

  @Override
  public Blob open(String key) throws IOException {
    Path path = path(key);
    if (!Files.isRegularFile(path)) {
      throw new NoSuchBlobException(key);
    }
    try {
      return new FolderBlob(path, root.resolve(TEMPORARY));
    } catch (NoSuchFileException e) {
      throw new NoSuchBlobException(key);
    }
  }

  @Override
  public boolean exists(String key) {
    return Files.isRegularFile(path(key));
  }

  @Override
  public @Nullable Object identity(String key) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path(key), BasicFileAttributes.class);
      Object file = attributes.fileKey();
      return file == null
          ? null
          : new Identity(file, attributes.lastModifiedTime(), attributes.size());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /// A file system may reuse the number of a deleted file, but not with the same time.
  private record Identity(Object file, FileTime modifiedAt, long byteSize) {}

  @Override
  public boolean isRemote() {
    return false;
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int limit) throws IOException {
    return listing(prefix, after, limit).keys();
  }

  @Override
  public List<String> listFolders(String prefix, @Nullable String after, int limit)
      throws IOException {
    return listing(prefix, after, limit).folders();
  }

  private FolderListing listing(String prefix, @Nullable String after, int limit) {
    BlobKeys.checkPart(prefix);
    if (after != null) {
      BlobKeys.checkPart(after);
    }
    return new FolderListing(root, large, prefix, after, limit);
  }

  @Override
  public long byteSize(String key) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path(key), BasicFileAttributes.class);
      return attributes.isRegularFile() ? attributes.size() : 0;
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  @Override
  public boolean delete(String key) throws IOException {
    Path path = path(key);
    return Files.isRegularFile(path) && Files.deleteIfExists(path);
  }

  @Override
  public Path scratchFolder() {
    return root.resolve(TEMPORARY);
  }

  @Override
  public Path localPath(String key) {
    return path(key);
  }

  private Path path(String key) {
    BlobKeys.check(key);
    if (key.startsWith(TEMPORARY + "/") || key.equals(TEMPORARY)) {
      throw new IllegalArgumentException(
          "Expected a key outside of " + TEMPORARY + " but found \"" + key + "\"");
    }
    return root.resolve(key);
  }
}
