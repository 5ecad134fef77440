package dev.quiver.sql.execution;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// A folder that only the user of this process can enter.
final class PrivateFolder {

  private PrivateFolder() {}

  /// Creates the folder if it is missing, and takes the permissions of others away.
  static Path create(Path folder) throws IOException {
    Files.createDirectories(folder);
    if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    }
    return folder.toRealPath();
  }
}
