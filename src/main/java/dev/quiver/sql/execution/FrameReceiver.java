package dev.quiver.sql.execution;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.sql.worker.FrameChannel;
import dev.quiver.sql.worker.WorkerFrame;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The frames of one result, which a thread of its own reads ahead of the thread that takes them:
/// the worker makes the next rows while the last ones are stored, and the waiting thread can look
/// whether its client has left.
final class FrameReceiver implements AutoCloseable {

  /// The time after which a waiting thread checks again whether its client has left.
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /// A frame, or the reason for its absence.
  private record Received(@Nullable WorkerFrame frame, @Nullable IOException failure) {}

  private final FrameChannel channel;

  /// Counts the buffers without a frame, which the threads hand to each other.
  private final Semaphore free = new Semaphore(FrameChannel.BUFFERS);

  private final BlockingQueue<Received> received =
      new ArrayBlockingQueue<>(FrameChannel.BUFFERS + 1);

  private final Thread thread;

  /// When it was last asked whether the result is still wanted.
  private long looked = System.nanoTime();

  /// Whether a frame is in use.
  private boolean inUse;

  FrameReceiver(FrameChannel channel) {
    this.channel = channel;
    this.thread = Thread.ofPlatform().name("file-result").daemon().start(this::receive);
  }

  /// Reads until the last frame, and never after it: the next one is of another result.
  private void receive() {
    try {
      boolean ended = false;
      for (int i = 0; !ended; i = (i + 1) % FrameChannel.BUFFERS) {
        free.acquire();
        WorkerFrame frame = channel.readInto(i);
        ended = frame.type().isLast();
        received.put(new Received(frame, null));
      }
    } catch (IOException e) {
      received.add(new Received(null, e));
    } catch (InterruptedException e) {
      // Nothing waits for more.
    } catch (RuntimeException | Error e) {
      received.add(new Received(null, new IOException(e)));
    }
  }

  /// Waits for the next frame, whose payload lives until the next call.
  ///
  /// @throws CancelledException if the client has left
  WorkerFrame next(Cancellation cancellation) throws IOException {
    if (inUse) {
      inUse = false;
      free.release();
    }
    try {
      Received next = null;
      while (next == null) {
        long now = System.nanoTime();
        if (now - looked >= LOOK_NANOS) {
          looked = now;
          cancellation.throwIfRequested();
        }
        next = received.poll(LOOK_NANOS, TimeUnit.NANOSECONDS);
      }
      if (next.frame() == null) {
        throw next.failure() == null ? new IOException("Expected a frame") : next.failure();
      }
      inUse = true;
      return next.frame();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /// Ends the thread. If it reads, that ends the connection, too: a result that is not read to its
  /// end takes its worker with it.
  @Override
  public void close() {
    thread.interrupt();
  }
}
