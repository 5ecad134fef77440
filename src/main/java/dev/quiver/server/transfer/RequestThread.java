package dev.quiver.server.transfer;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tomcat.util.threads.TaskThread;

/// A request thread. If the system cannot start another one, the request waits for a running one.
/// With Tomcat's own threads, the error would end the poller, and all connections with it.
final class RequestThread extends TaskThread {

  /// @param stackByteSize the stack size, or 0 for the default
  RequestThread(Runnable work, String name, long stackByteSize) {
    super(Thread.currentThread().getThreadGroup(), work, name, stackByteSize);
    setDaemon(true);
  }

  /// Returns a factory of threads with the name `prefix` and a number above `count`.
  static ThreadFactory factory(String prefix, int count) {
    AtomicInteger number = new AtomicInteger(count);
    return work -> new RequestThread(work, prefix + number.incrementAndGet(), 0);
  }

  /// @throws RejectedExecutionException if no thread is available; Tomcat's pool then queues the
  ///   request
  @Override
  public void start() {
    try {
      super.start();
    } catch (OutOfMemoryError noThread) {
      throw new RejectedExecutionException("No thread could be started", noThread);
    }
  }
}
