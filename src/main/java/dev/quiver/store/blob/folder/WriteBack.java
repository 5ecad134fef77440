package dev.quiver.store.blob.folder;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// A background write-back of a file to disk while more is written, so that the final sync finds
/// little left to do.
final class WriteBack {

  /// The number of bytes written between two syncs.
  static final long STEP_BYTE_SIZE = 64 << 20;

  private final FileChannel channel;
  private final boolean enabled;
  private long startedAt;
  private @Nullable FutureTask<Void> running;

  WriteBack(FileChannel channel, boolean enabled) {
    this.channel = channel;
    this.enabled = enabled;
  }

  /// Records the size of the file, and starts a sync unless the disk is still busy.
  void written(long byteSize) throws IOException {
    if (!enabled || byteSize - startedAt < STEP_BYTE_SIZE) {
      return;
    }
    if (running == null || running.isDone()) {
      end();
      startedAt = byteSize;
      Callable<Void> force =
          () -> {
            channel.force(false);
            return null;
          };
      FutureTask<Void> started = new FutureTask<>(force);
      running = started;
      Thread.ofPlatform().daemon().name("write-back").start(started);
    }
  }

  /// Waits for the background sync.
  ///
  /// @throws IOException also if data did not reach the disk, because a later sync no longer
  ///   reports that
  void end() throws IOException {
    FutureTask<Void> started = running;
    if (started == null) {
      return;
    }
    try {
      started.get();
    } catch (ExecutionException e) {
      throw new IOException("Written data did not reach the disk", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}
