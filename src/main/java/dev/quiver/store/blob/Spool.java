package dev.quiver.store.blob;

import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Claimant;
import dev.quiver.arrow.parallel.OverloadedException;
import dev.quiver.arrow.parallel.SharedBytes;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A folder for results that wait for slow clients, for files that workers read or write, and for
/// kept files, as long as nothing else needs their space. Shared by threads.
public final class Spool implements AutoCloseable {

  /// The part of all bytes that received bodies leave to results.
  private static final int RESULTS_PART = 4;

  private static final System.Logger LOG = System.getLogger(Spool.class.getName());

  private final Path folder;
  private final Limit limit;
  private final SharedBytes bytes;

  /// Of received bodies, which leave a part to results.
  private final SharedBytes bodies;

  private final KeptFiles kept = new KeptFiles(this);

  /// The folder for files with names, or null before the first.
  private @Nullable Path namedFolder;

  /// @param folder created when it is first needed
  /// @param limit the limit on the bytes of all files
  public Spool(Path folder, Limit limit) {
    this.folder = folder;
    this.limit = limit;
    this.bytes = new SharedBytes(limit.maximum());
    this.bodies = new SharedBytes(limit.maximum() - limit.maximum() / RESULTS_PART);
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
    return bytes.taken();
  }

  /// Returns the limit on the bytes of all files.
  public long maximum() {
    return limit.maximum();
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

  /// Opens an empty charge for a file of the [Claimant] of this thread.
  ///
  /// @param isBody whether the file is a received body
  public Charge open(boolean isBody) {
    return new Charge(Claimant.current(), isBody);
  }

  /// The bytes of one file. Used by one thread at a time.
  public final class Charge implements AutoCloseable {

    private Claimant claimant;
    private final boolean isLimitedBody;
    private long held;

    private Charge(Claimant claimant, boolean isBody) {
      this.claimant = claimant;
      this.isLimitedBody = isBody && !claimant.isAlone();
    }

    /// Returns the bytes charged.
    public long byteSize() {
      return held;
    }

    /// Returns the bytes that the file may have while there is no other one.
    public long maximum() {
      return (isLimitedBody ? bodies : bytes).maximum(claimant);
    }

    /// Charges bytes before they are written. Kept files that no request uses make room for them.
    ///
    /// @throws dev.quiver.arrow.memory.TooLargeInputException if the file exceeds the limit by
    ///   itself
    /// @throws OverloadedException if all files in use would exceed the limit, or those of the
    ///   claimant its share
    public void take(long byteSize) {
      check(held + byteSize);
      while (!tryTake(byteSize)) {
        boolean mayFit = bytes.fitsWithout(Claimant.SERVICE, claimant, byteSize);
        if (!mayFit || isFullOfBodies(byteSize) || !kept.evictOne()) {
          throw new OverloadedException(limit, "bytes of results and files that wait");
        }
      }
      held += byteSize;
    }

    /// @throws dev.quiver.arrow.memory.TooLargeInputException if a file of so many bytes exceeds
    ///   the limit by itself
    public void check(long byteSize) {
      new Limit(limit.name(), maximum()).check(byteSize, "bytes of a file", InputLocation.UNKNOWN);
    }

    /// Returns whether no kept file would make room.
    private boolean isFullOfBodies(long byteSize) {
      return isLimitedBody && !bodies.fitsWithout(Claimant.SERVICE, claimant, byteSize);
    }

    private boolean tryTake(long byteSize) {
      if (isLimitedBody && !bodies.tryTake(claimant, byteSize)) {
        return false;
      }
      boolean isTaken = bytes.tryTake(claimant, byteSize);
      if (isLimitedBody && !isTaken) {
        bodies.giveBack(claimant, byteSize);
      }
      return isTaken;
    }

    public void giveBack(long byteSize) {
      bytes.giveBack(claimant, byteSize);
      if (isLimitedBody) {
        bodies.giveBack(claimant, byteSize);
      }
      held -= byteSize;
    }

    /// Charges the service in place of the claimant, for a file that stays as long as nothing else
    /// needs its space.
    void disown() {
      bytes.tryPass(claimant, Claimant.SERVICE, held);
      claimant = Claimant.SERVICE;
    }

    /// Charges the [Claimant] of this thread in place of the service, for as long as it uses the
    /// file.
    ///
    /// @throws OverloadedException if its files in use would exceed its share
    void own() {
      Claimant user = Claimant.current();
      if (!bytes.tryPass(claimant, user, held)) {
        throw new OverloadedException(limit, "bytes of results and files that wait");
      }
      claimant = user;
    }

    @Override
    public void close() {
      giveBack(held);
    }
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
