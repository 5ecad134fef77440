package dev.quiver.server.write;

import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.log.Job;
import dev.quiver.store.log.JobState;
import dev.quiver.store.log.Jobs;
import dev.quiver.store.log.ResumableUpload;
import dev.quiver.store.log.UploadStore;
import dev.quiver.store.log.UploadStore.Stored;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Uploads that a job stores after the response. The job has a copy of the data on the disk of its
/// service, so that the parts stay until it has stored them.
@Component
final class AcceptedUpload {

  private static final Logger LOG = System.getLogger(AcceptedUpload.class.getName());

  private final UploadStore store;
  private final Jobs jobs;

  AcceptedUpload(UploadStore store, Jobs jobs) {
    this.store = store;
    this.jobs = jobs;
  }

  /// Returns whether the job of a response has ended without storing the data, and another one may.
  boolean mayTryAgain(ResumableUpload.Outcome outcome) throws IOException {
    String location =
        outcome.headers().stream()
            .filter(header -> header.name().equals("Location"))
            .map(ResumableUpload.Header::value)
            .findFirst()
            .orElse("");
    Job job = jobs.find(location.substring(location.lastIndexOf('/') + 1));
    return job != null && (job.state() == JobState.LOST || job.state() == JobState.FAILED);
  }

  /// Returns the end of the job that may store an upload.
  End begin() {
    return new End();
  }

  /// The response that tells a job, and the end of the job, whichever comes first.
  final class End implements Runnable {

    private boolean hasEnded;
    private @Nullable ResumableUpload accepted;

    private End() {}

    /// Keeps the response, and the parts unless the job has ended.
    synchronized void accept(Stored last, ResumableUpload.Outcome outcome) {
      ResumableUpload next = last.upload().accepted(outcome, Instant.now());
      try {
        if (store.put(next, last.revision()) != null) {
          accepted = next;
        }
        endIfOver();
      } catch (IOException e) {
        // A further request finds the job by the idempotency key.
        FailureLog.log(LOG, Level.ERROR, "The job of an upload was not kept", e);
      }
    }

    /// The end of the job.
    @Override
    public synchronized void run() {
      hasEnded = true;
      try {
        endIfOver();
      } catch (IOException e) {
        FailureLog.log(LOG, Level.WARNING, "Parts of an upload that is stored were not deleted", e);
      }
    }

    private void endIfOver() throws IOException {
      // The upload may have been deleted meanwhile.
      if (hasEnded && accepted != null && store.find(accepted.id()) != null) {
        store.end(accepted.ended());
      }
    }
  }
}
