package dev.quiver.store.blob.folder;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobKeys;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.blob.StorageFullException;
import dev.quiver.store.blob.StoreUnavailableException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryIteratorException;
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
      throw FolderFailures.full(e, absolute);
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

  /// Returns whether the folder can be listed and written.
  @Override
  public boolean isReachable() {
    Path temporary = root.resolve(TEMPORARY);
    return Files.isDirectory(temporary) && Files.isReadable(root) && Files.isWritable(temporary);
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
    try {
      if (isFile(path)) {
        return new FolderBlob(path, root.resolve(TEMPORARY));
      }
    } catch (NoSuchFileException e) {
      FolderFailures.requirePresent(root);
    } catch (IOException e) {
      throw FolderFailures.translated(e, path);
    }
    throw new NoSuchBlobException(key);
  }

  @Override
  public boolean exists(String key) throws IOException {
    return isFile(path(key));
  }

  /// Returns whether a path is a file.
  ///
  /// @throws StoreUnavailableException if it is absent since the store itself is
  private boolean isFile(Path path) throws IOException {
    if (Files.isRegularFile(path)) {
      return true;
    }
    FolderFailures.requirePresent(root);
    return false;
  }

  /// Returns the attributes of a file, or null if absent.
  ///
  /// @throws StoreUnavailableException if it is absent since the store itself is
  private @Nullable BasicFileAttributes attributes(String key) throws IOException {
    Path path = path(key);
    try {
      return Files.readAttributes(path, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      FolderFailures.requirePresent(root);
      return null;
    } catch (IOException e) {
      throw FolderFailures.translated(e, path);
    }
  }

  @Override
  public @Nullable Object identity(String key) throws IOException {
    BasicFileAttributes attributes = attributes(key);
    Object file = attributes == null ? null : attributes.fileKey();
    return attributes == null || file == null
        ? null
        : new Identity(file, attributes.lastModifiedTime(), attributes.size());
  }

  /// A file system may reuse the number of a deleted file, but not with the same time.
  private record Identity(Object file, FileTime modifiedAt, long byteSize) {}

  @Override
  public boolean isRemote() {
    return false;
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int limit) throws IOException {
    return present(listing(prefix, after, limit)::keys);
  }

  @Override
  public List<String> listFolders(String prefix, @Nullable String after, int limit)
      throws IOException {
    return present(listing(prefix, after, limit)::folders);
  }

  /// The listing of a folder.
  @FunctionalInterface
  private interface Listing {
    List<String> read() throws IOException;
  }

  /// Returns a listing, which an absent store does not have. A store that disappears meanwhile has
  /// a part of one.
  private List<String> present(Listing listing) throws IOException {
    try {
      List<String> keys = listing.read();
      FolderFailures.requirePresent(root);
      return keys;
    } catch (DirectoryIteratorException e) {
      throw FolderFailures.translated(Objects.requireNonNull(e.getCause()), root);
    } catch (IOException e) {
      throw FolderFailures.translated(e, root);
    }
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
    BasicFileAttributes attributes = attributes(key);
    return attributes != null && attributes.isRegularFile() ? attributes.size() : 0;
  }

  @Override
  public boolean delete(String key) throws IOException {
    Path path = path(key);
    try {
      return isFile(path) && Files.deleteIfExists(path);
    } catch (IOException e) {
      throw FolderFailures.translated(e, path);
    }
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
