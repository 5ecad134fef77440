package dev.quiver.background;

import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.SourceFile;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
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

/// What is in a folder to be imported, at one time: files with a suffix of Arrow data in it and the
/// folders below.
///
/// Hidden files and folders are not looked at. A symbolic link to a file is that file when it lies
/// in the folder, hidden or not; links to folders are not followed.
final class FolderFiles {

  private final Path folder;
  private final List<Path> excluded;
  private final SortedMap<String, Found> files = new TreeMap<>();
  private final Map<String, String> leftOut = new TreeMap<>();

  private FolderFiles(Path folder, List<Path> excluded) {
    this.folder = folder;
    this.excluded = excluded;
  }

  /// Lists a folder.
  ///
  /// @param excluded folders that are not looked at, as they really are
  /// @throws IllegalArgumentException when it lies in one of these
  /// @throws IOException when the folder itself cannot be read
  static FolderFiles of(Path folder, List<Path> excluded) throws IOException {
    Path real = folder.toRealPath();
    for (Path other : excluded) {
      if (real.startsWith(other)) {
        throw new IllegalArgumentException(
            "Expected a folder that is not in the store but found %s at quiver.import"
                .formatted(folder));
      }
    }
    FolderFiles listing = new FolderFiles(real, excluded);
    Files.walkFileTree(real, listing.new Visitor());
    listing.leaveOutSecondOfAName();
    return listing;
  }

  /// By their paths, in their order.
  SortedMap<String, Found> files() {
    return files;
  }

  /// Why files are not imported, by their paths.
  Map<String, String> leftOut() {
    return leftOut;
  }

  private void leaveOutSecondOfAName() {
    Map<DatasetName, String> first = new HashMap<>();
    files.forEach((path, found) -> {
      String other = first.putIfAbsent(found.name(), path);
      if (other != null) {
        leftOut.put(path, "dataset %s is made of %s".formatted(found.name(), other));
      }
    });
    files.keySet().removeAll(leftOut.keySet());
  }

  private void add(Path file, BasicFileAttributes attributes) throws IOException {
    String path = path(file);
    if (!DatasetName.isArrowFile(path)) {
      return;
    }
    if (attributes.isSymbolicLink()) {
      Path target = file.toRealPath();
      if (!target.startsWith(folder) || excluded.stream().anyMatch(target::startsWith)) {
        leftOut.put(path, "it is a link to what is not in the folder");
      } else {
        add(path, target, Files.readAttributes(target, BasicFileAttributes.class));
      }
    } else {
      add(path, file, attributes);
    }
  }

  private void add(String path, Path file, BasicFileAttributes attributes) {
    if (!attributes.isRegularFile()) {
      return;
    }
    try {
      files.put(path, new Found(DatasetName.ofFile(path), file, SourceFile.of(path, attributes)));
    } catch (IllegalArgumentException e) {
      leftOut.put(path, String.valueOf(e.getMessage()));
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

  /// A file that has a name as a dataset.
  ///
  /// @param path where it really is
  record Found(DatasetName name, Path path, SourceFile file) {}

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
      leftOut.put(path(file), "it cannot be read: " + failure);
      return FileVisitResult.CONTINUE;
    }

    /// A folder that was listed in part is not one in which files are missing.
    @Override
    public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) {
      return failure == null ? FileVisitResult.CONTINUE : visitFileFailed(visited, failure);
    }
  }
}
