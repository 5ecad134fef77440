package dev.quiver.store.log;

/// A place for a job, which is taken before the job's input is received.
@FunctionalInterface
public interface JobPlace extends AutoCloseable {

  /// Gives the place back. Has no effect after the first call.
  @Override
  void close();
}
