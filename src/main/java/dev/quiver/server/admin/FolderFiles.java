package dev.quiver.server.admin;

import dev.quiver.formats.Format;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.SourceFile;
import dev.quiver.store.write.ListedFile;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// A listing of the Arrow files and the files of other formats in an import folder and its
/// subfolders.
///
/// Hidden files and folders are ignored. A symbolic link to a file counts as that file if the
/// target is in the folder, even if the target is hidden. Links to folders are not followed. The
/// import follows no link at all, since a file may be replaced by one after the listing.
final class FolderFiles {

  private final Path folder;
  private final List<Path> excluded;
  private final SortedMap<String, Found> files = new TreeMap<>();
  private final Map<String, String> rejected = new TreeMap<>();

  private FolderFiles(Path folder, List<Path> excluded) {
    this.folder = folder;
    this.excluded = excluded;
  }

  /// Lists a folder.
  ///
  /// @param excluded real paths of folders to skip
  /// @throws IllegalArgumentException if the folder is inside an excluded one
  /// @throws IOException if the folder itself cannot be read
  static FolderFiles of(Path folder, List<Path> excluded) throws IOException {
    Path real = folder.toRealPath();
    for (Path other : excluded) {
      if (real.startsWith(other)) {
        throw new IllegalArgumentException(
            "Expected a folder outside the store but found %s at quiver.import".formatted(folder));
      }
    }
    FolderFiles listing = new FolderFiles(real, excluded);
    Files.walkFileTree(real, listing.new Visitor());
    listing.rejectDuplicateNames();
    return listing;
  }

  /// Returns the files by path, in order.
  SortedMap<String, Found> files() {
    return files;
  }

  /// Returns why files are not imported, by path.
  Map<String, String> rejected() {
    return rejected;
  }

  private void rejectDuplicateNames() {
    Map<DatasetName, String> first = new HashMap<>();
    files.forEach((path, found) -> {
      String other = first.putIfAbsent(found.name(), path);
      if (other != null) {
        rejected.put(path, "dataset %s is imported from %s".formatted(found.name(), other));
      }
    });
    files.keySet().removeAll(rejected.keySet());
  }

  private void add(Path file, BasicFileAttributes attributes) throws IOException {
    String path = path(file);
    Format format = Format.ofName(path);
    if (format == null) {
      return;
    }
    if (attributes.isSymbolicLink()) {
      Path target = file.toRealPath();
      if (!target.startsWith(folder) || excluded.stream().anyMatch(target::startsWith)) {
        rejected.put(path, "it is a link that points outside the folder");
      } else {
        add(
            path,
            format,
            target,
            Files.readAttributes(target, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
      }
    } else {
      add(path, format, file, attributes);
    }
  }

  private void add(String path, Format format, Path file, BasicFileAttributes attributes) {
    if (!attributes.isRegularFile()) {
      return;
    }
    try {
      files.put(
          path,
          new Found(
              DatasetName.ofFile(path), ListedFile.of(folder, file, path, attributes), format));
    } catch (IllegalArgumentException e) {
      rejected.put(path, String.valueOf(e.getMessage()));
    }
  }

  private String path(Path file) {
    return StreamSupport.stream(folder.relativize(file).spliterator(), false)
        .map(Path::toString)
        .collect(Collectors.joining("/"));
  }

  private static boolean isHidden(Path path) {
    return path.getFileName().toString().startsWith(".");
  }

  /// A file with a valid dataset name.
  record Found(DatasetName name, ListedFile listed, Format format) {

    SourceFile file() {
      return listed.source();
    }
  }

  private final class Visitor extends SimpleFileVisitor<Path> {

    @Override
    public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
      return !visited.equals(folder) && (isHidden(visited) || excluded.contains(visited))
          ? FileVisitResult.SKIP_SUBTREE
          : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      if (!isHidden(file)) {
        try {
          add(file, attributes);
        } catch (IOException e) {
          return visitFileFailed(file, e);
        }
      }
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) {
      rejected.put(path(file), "it cannot be read: " + failure);
      return FileVisitResult.CONTINUE;
    }

    /// Reports a folder whose listing ended early, since its missing files may exist.
    @Override
    public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) {
      return failure == null ? FileVisitResult.CONTINUE : visitFileFailed(visited, failure);
    }
  }
}
