package dev.quiver.store.blob.folder;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/// The permissions of stored files and folders, which only the service's user and group may read.
/// The umask may remove more. File systems without POSIX permissions have their own.
public final class FilePermissions {

  private static final FileAttribute<?>[] NONE = {};
  private static final FileAttribute<?>[] FILE = {posix("rw-r-----")};
  private static final FileAttribute<?>[] FOLDER = {posix("rwxr-x---")};

  private FilePermissions() {}

  /// Returns the attributes with which to create a file.
  ///
  /// @param path any path of its file system
  public static FileAttribute<?>[] ofFile(Path path) {
    return isPosix(path) ? FILE.clone() : NONE;
  }

  /// Returns the attributes with which to create a folder.
  ///
  /// @param path any path of its file system
  public static FileAttribute<?>[] ofFolder(Path path) {
    return isPosix(path) ? FOLDER.clone() : NONE;
  }

  static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }

  private static FileAttribute<?> posix(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }
}
