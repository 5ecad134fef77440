package dev.quiver.store.log;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A job at one moment.
///
/// @param id 26 characters, as of [dev.quiver.store.version.Ulid]
/// @param owner identifies the attempt: a job that was lost may be tried again under its id
/// @param dataset the name of the dataset to write, or null if it is generated
/// @param principal the id of the principal that began it, or null if that was not kept
/// @param heartbeatAt when its service last wrote this
/// @param endedAt null before the end
/// @param committing whether it can no longer be cancelled
/// @param requestId the id of the request that submitted it, or null if that was not kept
/// @param problem the members of the problem with which it failed, or null; null in lists
/// @param result null unless it is done
public record Job(
    String id,
    String owner,
    JobState state,
    @Nullable String dataset,
    @Nullable String principal,
    Instant createdAt,
    Instant heartbeatAt,
    @Nullable Instant endedAt,
    boolean committing,
    JobProgress progress,
    @Nullable String requestId,
    @Nullable Map<String, Object> problem,
    @Nullable JobResult result) {

  /// Returns a job that waits for its turn.
  static Job queued(
      String id,
      String owner,
      @Nullable String dataset,
      String principal,
      String requestId,
      Instant now) {
    return new Job(
        id,
        owner,
        JobState.QUEUED,
        dataset,
        principal,
        now,
        now,
        null,
        false,
        JobProgress.UNKNOWN,
        requestId,
        null,
        null);
  }

  /// Returns this job while its service works on it.
  Job alive(JobState alive, boolean isCommitting, JobProgress latest, Instant now) {
    return changed(alive, now, null, isCommitting, latest, null, null);
  }

  /// Returns this job at its end.
  Job ended(JobState end, JobProgress last, Instant at) {
    return changed(end, heartbeatAt, at, committing, last, null, null);
  }

  Job failed(Map<String, Object> found, JobProgress last, Instant at) {
    return changed(JobState.FAILED, heartbeatAt, at, committing, last, found, null);
  }

  Job done(JobResult found, JobProgress last, Instant at) {
    return changed(JobState.DONE, heartbeatAt, at, committing, last, null, found);
  }

  private Job changed(
      JobState next,
      Instant lastHeartbeatAt,
      @Nullable Instant end,
      boolean isCommitting,
      JobProgress latest,
      @Nullable Map<String, Object> failure,
      @Nullable JobResult success) {
    return new Job(
        id,
        owner,
        next,
        dataset,
        principal,
        createdAt,
        lastHeartbeatAt,
        end,
        isCommitting,
        latest,
        requestId,
        failure,
        success);
  }

  /// Returns this job as it is to be seen: lost if it has had no heartbeat for too long.
  Job seenAt(Instant now, Duration lostAfter) {
    Instant lostAt = heartbeatAt.plus(lostAfter);
    return state.isEnd() || !now.isAfter(lostAt) ? this : ended(JobState.LOST, progress, lostAt);
  }

  /// Returns whether a service wrote both as the same.
  boolean isSameAs(Job other) {
    return owner.equals(other.owner)
        && state == other.state
        && committing == other.committing
        && heartbeatAt.equals(other.heartbeatAt);
  }
}
