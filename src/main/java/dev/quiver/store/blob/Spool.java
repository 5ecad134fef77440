package dev.quiver.store.blob;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.OverloadedException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A folder for results that wait for slow clients, for files that workers read or write, and for
/// kept files, as long as nothing else needs their space. Shared by threads.
public final class Spool implements AutoCloseable {

  private static final System.Logger LOG = System.getLogger(Spool.class.getName());

  private final Path folder;
  private final Limit limit;
  private final AtomicLong taken = new AtomicLong();

  private final KeptFiles kept = new KeptFiles(this);

  /// The folder for files with names, or null before the first.
  private @Nullable Path namedFolder;

  /// @param folder created when it is first needed
  /// @param limit the limit on the bytes of all files
  public Spool(Path folder, Limit limit) {
    this.folder = folder;
    this.limit = limit;
    removeLeftovers();
  }

  /// Removes the files of processes that no longer run.
  private void removeLeftovers() {
    if (Files.isDirectory(folder)) {
      try {
        ProcessFolders.removeLeftovers(folder);
      } catch (IOException e) {
        LOG.log(System.Logger.Level.WARNING, "Files were not removed: {0}", e.getMessage());
      }
    }
  }

  public Path folder() {
    return folder;
  }

  /// Returns the bytes of all files.
  public long taken() {
    return taken.get();
  }

  /// Returns the files that are kept for later requests.
  public KeptFiles kept() {
    return kept;
  }

  /// Creates a file that vanishes when it is closed, or with the process.
  public FileChannel create() throws IOException {
    Files.createDirectories(folder);
    Path file = Files.createTempFile(folder, "result-", ".tmp");
    FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
    try {
      // Where the system allows it, not even a killed process leaves the file behind.
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // It is deleted when it is closed.
    }
    return channel;
  }

  /// Creates a file with a name, which the caller deletes.
  Path createNamed() throws IOException {
    return Files.createTempFile(namedFolder(), "file-", "");
  }

  private synchronized Path namedFolder() throws IOException {
    if (namedFolder == null) {
      Files.createDirectories(folder);
      namedFolder = ProcessFolders.createIn(folder);
    }
    return namedFolder;
  }

  /// Returns whether a file can be created.
  public boolean isWritable() {
    try (FileChannel _ = create()) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Rejects a file that does not fit even alone.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if it exceeds the limit
  public void checkAlone(long byteSize) {
    limit.check(byteSize, "bytes of a file", InputLocation.UNKNOWN);
  }

  /// Returns the limit on the bytes of all files.
  public long maximum() {
    return limit.maximum();
  }

  /// Charges bytes before they are written. Kept files that no request uses make room for them.
  ///
  /// @throws OverloadedException if all files in use would exceed the limit
  public void take(long byteSize) {
    while (taken.addAndGet(byteSize) > limit.maximum()) {
      taken.addAndGet(-byteSize);
      if (!kept.evictOne()) {
        throw new OverloadedException(limit, "bytes of results and files that wait");
      }
    }
  }

  public void giveBack(long byteSize) {
    taken.addAndGet(-byteSize);
  }

  @Override
  public synchronized void close() {
    kept.close();
    if (namedFolder != null) {
      ProcessFolders.delete(namedFolder);
      namedFolder = null;
    }
  }
}
