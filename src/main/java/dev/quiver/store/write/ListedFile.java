package dev.quiver.store.write;

import dev.quiver.store.version.SourceFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A regular file of an import folder as the listing found it.
///
/// Until it is imported, others may replace it or a folder above it, also by a symbolic link, which
/// is never followed.
///
/// @param folder the real path of the import folder
/// @param path the real path of the file, within the folder
/// @param source its attributes
/// @param fileKey its identity, or null if the file system has none
public record ListedFile(Path folder, Path path, SourceFile source, @Nullable Object fileKey) {

  private static final Set<OpenOption> READ =
      Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

  /// @param name the path by which the file is imported
  public static ListedFile of(Path folder, Path path, String name, BasicFileAttributes attributes) {
    return new ListedFile(folder, path, SourceFile.of(name, attributes), attributes.fileKey());
  }

  /// Opens the file, unless a link has replaced it or a folder above it.
  ///
  /// @throws IOException also if a link is found
  FileChannel open() throws IOException {
    try (var entries = Files.newDirectoryStream(folder)) {
      return entries instanceof SecureDirectoryStream<Path> secure
          ? open(secure, folder.relativize(path))
          : FileChannel.open(path, READ);
    }
  }

  /// Opens a file relative to an open folder, so that nothing above that folder matters anymore.
  private static FileChannel open(SecureDirectoryStream<Path> entries, Path relative)
      throws IOException {
    if (relative.getNameCount() == 1) {
      return (FileChannel) entries.newByteChannel(relative, READ);
    }
    Path next = relative.getName(0);
    try (var inner = entries.newDirectoryStream(next, LinkOption.NOFOLLOW_LINKS)) {
      return open(inner, next.relativize(relative));
    }
  }

  /// Returns whether this very file, unchanged, is at a path.
  boolean isAt(Path found) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(found, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return attributes.isRegularFile() && equals(of(folder, path, source.path(), attributes));
    } catch (NoSuchFileException | NotDirectoryException e) {
      return false;
    }
  }
}
