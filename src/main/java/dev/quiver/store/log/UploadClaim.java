package dev.quiver.store.log;

import dev.quiver.store.log.UploadStore.Stored;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The claim of this service to store an upload, renewed until it is stopped. The claim of a
/// service that is killed ends by itself.
public final class UploadClaim implements AutoCloseable {

  private static final Logger LOG = System.getLogger(UploadClaim.class.getName());

  /// More than the clocks of services differ, and than a short failure of a bucket lasts. A client
  /// waits no longer once a service is killed.
  static final Duration LENGTH = Duration.ofMinutes(1);

  private static final int RENEWALS_PER_LENGTH = 4;

  private final UploadStore store;
  private final String holder;
  private final Duration length;

  /// The state that this service wrote last. Guarded by `this`.
  private Stored held;

  /// Whether another service has the upload, or it was deleted. Guarded by `this`.
  private boolean lost;

  /// Guarded by `this`.
  private boolean stopped;

  private UploadClaim(UploadStore store, String holder, Duration length, Stored held) {
    this.store = store;
    this.holder = holder;
    this.length = length;
    this.held = held;
  }

  /// Claims an upload that is whole, for as long as the claim is not closed.
  ///
  /// @param length how long it lasts without a renewal
  /// @return null if another state follows the given one, or the upload was deleted
  static @Nullable UploadClaim begin(UploadStore store, Stored whole, Duration length)
      throws IOException {
    Instant now = Instant.now();
    ResumableUpload upload = whole.upload();
    String holder = store.randomText();
    ResumableUpload claimed =
        (upload.complete() ? upload : upload.completed(now))
            .tried(now)
            .claimed(new ResumableUpload.Claim(holder, now.plus(length)));
    Stored held = store.put(claimed, whole.revision());
    if (held == null) {
      return null;
    }
    UploadClaim claim = new UploadClaim(store, holder, length, held);
    Thread.ofVirtual().name("upload-claim").start(claim::renew);
    return claim;
  }

  private synchronized void renew() {
    long period = length.dividedBy(RENEWALS_PER_LENGTH).toNanos();
    long next = System.nanoTime() + period;
    try {
      while (!stopped && !lost) {
        long rest = next - System.nanoTime();
        if (rest > 0) {
          TimeUnit.NANOSECONDS.timedWait(this, rest);
        } else {
          tryToRenew();
          next = System.nanoTime() + period;
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void tryToRenew() {
    try {
      write(new ResumableUpload.Claim(holder, Instant.now().plus(length)));
    } catch (IOException e) {
      // Until the claim ends, the next renewal may succeed.
      LOG.log(Level.WARNING, "The claim to an upload was not renewed: {0}", e.getMessage());
    }
  }

  private synchronized void write(ResumableUpload.@Nullable Claim claim) throws IOException {
    while (!lost) {
      Stored next = store.put(held.upload().claimed(claim), held.revision());
      if (next != null) {
        held = next;
        return;
      }
      // A put may have taken effect although it failed.
      Stored latest = store.find(held.upload().id());
      ResumableUpload.Claim found = latest == null ? null : latest.upload().claim();
      lost = found == null || !found.holder().equals(holder);
      held = lost ? held : Objects.requireNonNull(latest);
    }
  }

  /// Returns the bytes that have arrived, to be read once. The last ones belong to an upload to
  /// which the claim still holds.
  public PartsSource open() {
    return store.open(upload(), this);
  }

  /// Returns the claimed upload.
  public synchronized ResumableUpload upload() {
    return held.upload();
  }

  /// Checks that the upload was neither deleted nor claimed by another service meanwhile.
  ///
  /// @throws IOException if it was
  synchronized void requireHeld() throws IOException {
    if (!lost && !store.exists(held)) {
      tryToRenew();
    }
    if (lost) {
      throw new IOException(
          "Expected an upload that this service stores but found one that another request has");
    }
  }

  /// Ends the renewals, before the upload ends.
  ///
  /// @return the last state
  public synchronized Stored stop() {
    stopped = true;
    notifyAll();
    return held;
  }

  /// Gives the claim up, unless it was stopped or lost.
  @Override
  public synchronized void close() {
    if (stopped) {
      return;
    }
    stop();
    try {
      write(null);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "The claim to an upload was not given up: {0}", e.getMessage());
    }
  }
}
