package dev.quiver.store.log;

import java.io.IOException;
import java.util.function.Supplier;

/// The job to which work belongs.
public interface JobMonitor {

  /// Ends unwanted work.
  ///
  /// @throws JobEndedException if it is not
  void requireWanted();

  /// Rules out that the job is cancelled from now on. Called before its version is committed.
  ///
  /// @throws JobEndedException if it was cancelled or is lost
  void beginCommit() throws IOException;

  /// Sets how to measure the progress. Another thread then does so from time to time.
  void measureBy(Supplier<JobProgress> measure);
}
