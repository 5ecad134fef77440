package dev.quiver.web.connector;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tomcat.util.threads.TaskThread;

/// A thread for requests that can fail to start: requests then wait for other threads. When the
/// system has no more threads, a thread of Tomcat ends Tomcat's poller with an error instead, and
/// with it all connections for good.
final class RequestThread extends TaskThread {

  /// @param stackByteSize 0 for the usual one
  RequestThread(Runnable work, String name, long stackByteSize) {
    super(Thread.currentThread().getThreadGroup(), work, name, stackByteSize);
    setDaemon(true);
  }

  /// Makes threads that are named after `prefix` and numbers above `count`.
  static ThreadFactory factory(String prefix, int count) {
    AtomicInteger number = new AtomicInteger(count);
    return work -> new RequestThread(work, prefix + number.incrementAndGet(), 0);
  }

  /// @throws RejectedExecutionException when there is none, upon which Tomcat's pool has the
  ///   request wait
  @Override
  public void start() {
    try {
      super.start();
    } catch (OutOfMemoryError none) {
      throw new RejectedExecutionException("No thread could be started", none);
    }
  }
}
