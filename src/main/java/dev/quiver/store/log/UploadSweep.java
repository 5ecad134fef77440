package dev.quiver.store.log;

import static dev.quiver.store.log.UploadStore.OUTCOMES;
import static dev.quiver.store.log.UploadStore.PAGE_SIZE;
import static dev.quiver.store.log.UploadStore.PARTS;
import static dev.quiver.store.log.UploadStore.STATES;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.log.UploadStore.Stored;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One deletion of abandoned uploads. An upload whose state cannot be read stays, and keeps no
/// other one.
final class UploadSweep {

  private final UploadStore uploads;
  private final BlobStore store;
  private final Instant before;
  private final Cancellation cancellation = Cancellation.current();
  private int count;
  private @Nullable IOException failure;

  /// The upload of the last part, whose parts follow one another.
  private @Nullable String id;

  private boolean exists;

  /// @param before the time since which an upload that remains has changed
  UploadSweep(UploadStore uploads, BlobStore store, Instant before) {
    this.uploads = uploads;
    this.store = store;
    this.before = before;
  }

  /// @return the number of deleted uploads
  /// @throws IOException the first failure, after all other uploads
  int run() throws IOException {
    each(STATES, this::deleteIfOld);
    each(OUTCOMES, this::forgetIfOld);
    each(PARTS, this::deleteUnlessOfAnUpload);
    if (failure != null) {
      throw failure;
    }
    return count;
  }

  private void deleteIfOld(String state) throws IOException {
    Stored stored = uploads.find(UploadStore.id(state, STATES));
    if (stored == null) {
      return;
    }
    if (stored.isEnded()) {
      uploads.deleteRemains(stored.upload().id());
    } else if (stored.upload().activeAt().isBefore(before) && uploads.delete(stored)) {
      count++;
    }
  }

  private void forgetIfOld(String outcome) throws IOException {
    Stored ended = uploads.findEnded(outcome.substring(OUTCOMES.length()));
    if (ended != null && ended.upload().changedAt().isBefore(before)) {
      store.delete(outcome);
    }
  }

  private void deleteUnlessOfAnUpload(String part) throws IOException {
    String next = UploadStore.id(part, PARTS);
    if (!next.equals(id)) {
      exists = uploads.isOpen(next);
      id = next;
    }
    if (!exists) {
      store.delete(part);
    }
  }

  /// An action on a blob.
  @FunctionalInterface
  private interface KeyAction {

    void accept(String key) throws IOException;
  }

  private void each(String prefix, KeyAction action) throws IOException {
    String last = null;
    List<String> page;
    do {
      page = store.list(prefix, last, PAGE_SIZE);
      for (String key : page) {
        if (cancellation.isRequested()) {
          return;
        }
        try {
          action.accept(key);
        } catch (IOException e) {
          failure = failure == null ? e : failure;
        }
        last = key;
      }
    } while (page.size() == PAGE_SIZE);
  }
}
