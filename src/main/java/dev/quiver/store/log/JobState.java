package dev.quiver.store.log;

import java.util.Locale;

/// The state of a job.
public enum JobState {
  /// It waits for its turn.
  QUEUED,
  /// It is being worked on.
  RUNNING,
  /// Its version is stored.
  DONE,
  /// It ended with a problem, and nothing is stored.
  FAILED,
  /// A client ended it, and nothing is stored.
  CANCELLED,
  /// The service that ran it ended, or cannot reach the store. Nothing is stored unless that
  /// happened during the commit: such a job may still become done.
  LOST;

  /// Returns whether the job has ended.
  public boolean isEnd() {
    return this != QUEUED && this != RUNNING;
  }

  /// Returns the name in documents.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
