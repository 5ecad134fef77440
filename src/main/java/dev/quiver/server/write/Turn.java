package dev.quiver.server.write;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The request of this service that continues an upload. A later one asks it to end and waits for
/// the bytes that it has received. That another service continues the upload as well, only the
/// revision of the state tells.
final class Turn implements AutoCloseable {

  /// The time that a request waits for another one whose client is silent.
  private static final long PATIENCE_SECONDS = 2;

  private final ConcurrentMap<String, Turn> turns;
  private final String id;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean overtaken;
  private volatile boolean committing;

  private Turn(ConcurrentMap<String, Turn> turns, String id) {
    this.turns = turns;
    this.id = id;
  }

  /// The turns of all uploads.
  static final class Turns {

    private final ConcurrentMap<String, Turn> turns = new ConcurrentHashMap<>();

    /// Returns whether a request of this service continues an upload.
    boolean isTaken(String id) {
      return turns.containsKey(id);
    }

    /// Overtakes the request that continues an upload.
    ///
    /// @throws dev.quiver.server.http.ProblemException 423 if that request stores it
    Turn take(String id) {
      Turn mine = new Turn(turns, id);
      @Nullable Turn other;
      while ((other = turns.putIfAbsent(id, mine)) != null) {
        if (other.committing) {
          throw UploadProblems.locked();
        }
        other.overtaken = true;
        if (!other.awaitEnd()) {
          if (other.committing) {
            throw UploadProblems.locked();
          }
          if (turns.replace(id, other, mine)) {
            break;
          }
        }
      }
      return mine;
    }
  }

  private boolean awaitEnd() {
    try {
      return ended.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw UploadProblems.locked();
    }
  }

  boolean isOvertaken() {
    return overtaken;
  }

  /// Starts to store the upload, which nothing overtakes.
  void beginCommit() {
    committing = true;
  }

  @Override
  public void close() {
    turns.remove(id, this);
    ended.countDown();
  }
}
