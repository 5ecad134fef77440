package dev.quiver.storage.filesystem;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// Gets what is written to a file onto the disk while more comes, in the background, so that the
/// sync at the end finds little left to do.
final class WriteBack {

  /// How much is written before the disk is asked for it.
  static final long STEP_BYTE_SIZE = 64 << 20;

  private final FileChannel channel;
  private final boolean enabled;
  private long startedAt;
  private @Nullable FutureTask<Void> running;

  WriteBack(FileChannel channel, boolean enabled) {
    this.channel = channel;
    this.enabled = enabled;
  }

  /// Takes note of how much the file has, and starts on it unless the disk is still busy.
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

  /// Waits for what goes on in the background.
  ///
  /// @throws IOException also when something of the file did not get onto the disk: whoever syncs
  ///   it again is not told so any more
  void end() throws IOException {
    FutureTask<Void> started = running;
    if (started == null) {
      return;
    }
    try {
      started.get();
    } catch (ExecutionException e) {
      throw new IOException("What was written did not get onto the disk", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}
