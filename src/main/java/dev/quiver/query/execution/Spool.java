package dev.quiver.query.execution;

import dev.quiver.input.Limit;
import dev.quiver.input.OverloadedException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/// A folder for results that wait for slow clients. Shared by threads.
public final class Spool {

  private final Path folder;
  private final Limit limit;
  private final AtomicLong taken = new AtomicLong();

  /// @param folder created when it is first needed
  /// @param limit the limit on the bytes of all files
  public Spool(Path folder, Limit limit) {
    this.folder = folder;
    this.limit = limit;
  }

  public Path folder() {
    return folder;
  }

  /// Returns the bytes of all files.
  public long taken() {
    return taken.get();
  }

  /// Creates a file that vanishes when it is closed, or with the process.
  FileChannel create() throws IOException {
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

  /// Charges bytes before they are written.
  ///
  /// @throws OverloadedException if all files together would exceed the limit
  void take(long byteSize) {
    if (taken.addAndGet(byteSize) > limit.maximum()) {
      taken.addAndGet(-byteSize);
      throw new OverloadedException(limit, "bytes of results that wait for their clients");
    }
  }

  void giveBack(long byteSize) {
    taken.addAndGet(-byteSize);
  }
}
