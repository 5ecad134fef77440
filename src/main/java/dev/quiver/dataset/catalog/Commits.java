package dev.quiver.dataset.catalog;

import static java.util.stream.Collectors.toSet;

import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.DatasetName;
import dev.quiver.dataset.version.IdempotencyKey;
import dev.quiver.dataset.version.ImportSource;
import dev.quiver.dataset.version.PreconditionFailedException;
import dev.quiver.dataset.version.Ulid;
import dev.quiver.dataset.version.VersionKind;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.dataset.version.WriteCondition;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.NoSuchBlobException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes versions: puts a manifest where no manifest was, after the newest one, again for as long
/// as others are faster.
public final class Commits {

  /// How often a manifest is put before its write fails.
  private static final int LOCAL_ATTEMPTS = 2;

  private static final int REMOTE_ATTEMPTS = 4;
  private static final long FIRST_PAUSE_MILLISECONDS = 50;

  private final BlobStore store;
  private final Catalog catalog;
  private final InstantSource clock;
  private final Retention retention;

  public Commits(BlobStore store, Catalog catalog, InstantSource clock, Retention retention) {
    this.store = store;
    this.catalog = catalog;
    this.clock = clock;
    this.retention = retention;
  }

  /// Commits a version after the newest one, whichever that is when it is tried.
  ///
  /// @param key of the write, null without one
  /// @return null when `change` has nothing to commit
  /// @throws PreconditionFailedException when `condition` does not hold, or not any more
  public @Nullable Commit commit(
      DatasetName name,
      WriteCondition condition,
      @Nullable IdempotencyKey key,
      VersionUpdate change)
      throws IOException {
    String commitId = Ulid.next();
    while (true) {
      Instant readAt = clock.instant();
      try (Catalog.OpenManifest newest = catalog.openNewest(name)) {
        Catalog.OpenManifest current = newest == null || newest.isDelete() ? null : newest;
        Commit replayed = key == null || current == null ? null : replayed(current, key);
        if (replayed != null) {
          return replayed;
        }
        Conditions.require(condition, current == null ? null : current.summary(), name);
        NextVersion next;
        try {
          next = change.applyTo(current);
        } catch (NoSuchBlobException e) {
          if (isStillNewest(name, newest)) {
            change.rollback();
            throw e;
          }
          // It was removed since, after others were committed.
          continue;
        } catch (IOException e) {
          change.rollback();
          throw e;
        }
        if (next == null) {
          return null;
        }
        if (!retention.withinReadWindow(readAt, clock.instant()) && !isStillNewest(name, newest)) {
          continue;
        }
        Set<String> newData = newData(next, newest);
        retention.requireCommittable(newData, clock.instant());
        Manifest manifest = manifest(name, commitId, key, newest, next);
        if (put(manifest, next.tail(), change) && isKept(manifest, newData, readAt)) {
          catalog.see(manifest.summary(), readAt);
          return new Commit(manifest.summary(), current == null, manifest.extents());
        }
      }
    }
  }

  /// The commit that was made with a key, if it is remembered.
  public @Nullable Commit replayed(DatasetName name, IdempotencyKey key) throws IOException {
    try (Catalog.OpenManifest newest = catalog.openNewest(name)) {
      return newest == null || newest.isDelete() ? null : replayed(newest, key);
    }
  }

  private @Nullable Commit replayed(Catalog.OpenManifest newest, IdempotencyKey key)
      throws IOException {
    String hash = key.hash();
    for (RememberedKey remembered : newest.manifest().keys()) {
      if (remembered.hash().equals(hash)) {
        VersionSummary made = versionOrNewest(newest.summary(), remembered.version());
        return new Commit(made, remembered.version() == made.firstVersion(), List.of());
      }
    }
    return null;
  }

  /// A version that may have been removed since.
  private VersionSummary versionOrNewest(VersionSummary newest, long version) throws IOException {
    try {
      return catalog.manifest(StoreKeys.manifest(newest.name(), version)).summary();
    } catch (NoSuchBlobException e) {
      return newest;
    }
  }

  private Manifest manifest(
      DatasetName name,
      String newCommitId,
      @Nullable IdempotencyKey key,
      Catalog.@Nullable OpenManifest newest,
      NextVersion next) {
    long version = newest == null ? 1 : Math.addExact(newest.summary().version(), 1);
    Catalog.OpenManifest current = newest == null || newest.isDelete() ? null : newest;
    VersionSummary summary =
        VersionSummary.of(
            name,
            version,
            current != null && next.kind() == VersionKind.COMPACTION
                ? current.summary().commitId()
                : newCommitId,
            next.kind(),
            current == null ? version : current.summary().firstVersion(),
            clock.instant(),
            next.file(),
            source(newest, next.source(), version));
    List<RememberedKey> keys = new ArrayList<>();
    if (current != null) {
      keys.addAll(RememberedKey.carried(current.manifest().keys(), summary.committedAt()));
    }
    if (key != null) {
      keys.add(new RememberedKey(key.hash(), version, summary.committedAt()));
    }
    String parent = newest == null ? null : newest.summary().commitId();
    return new Manifest(summary, parent, keys, next.extents(), 0, next.tail().byteSize());
  }

  /// What was imported last, a deleted dataset's too: so that it is not imported again.
  private static @Nullable ImportSource source(
      Catalog.@Nullable OpenManifest newest, @Nullable ImportSource imported, long version) {
    if (imported != null) {
      return imported.in(version);
    }
    return newest == null ? null : newest.summary().source();
  }

  private boolean isStillNewest(DatasetName name, Catalog.@Nullable OpenManifest read)
      throws IOException {
    try (Catalog.OpenManifest newest = catalog.openNewest(name)) {
      return newest == null
          ? read == null
          : read != null && newest.summary().equals(read.summary());
    }
  }

  /// The blobs that no version names yet.
  private static Set<String> newData(NextVersion next, Catalog.@Nullable OpenManifest newest) {
    Set<String> keys = next.extents().stream().map(BlobExtent::key).collect(toSet());
    if (newest != null) {
      newest.manifest().extents().forEach(extent -> keys.remove(extent.key()));
    }
    return keys;
  }

  /// Puts a manifest, and settles what a failure leaves open: the version is what tells, so that it
  /// may be put any number of times.
  ///
  /// @return false when another commit has the version
  private boolean put(Manifest manifest, MemorySegment tail, VersionUpdate change)
      throws IOException {
    VersionSummary summary = manifest.summary();
    String key = StoreKeys.manifest(summary.name(), summary.version());
    MemorySegment content =
        ManifestFormat.write(
            summary, manifest.parentCommitId(), manifest.keys(), manifest.extents(), tail);
    int attempts = store.isRemote() ? REMOTE_ATTEMPTS : LOCAL_ATTEMPTS;
    for (int attempt = 1; ; attempt++) {
      try {
        // A second put makes what is there durable, whoever put it.
        return store.putIfAbsent(key, content)
            || attempt > 1 && catalog.manifest(key).summary().equals(summary);
      } catch (IOException e) {
        if (attempt == attempts) {
          if (!store.isRemote() && !store.exists(key)) {
            change.rollback();
          }
          throw e;
        }
        pause(attempt);
      }
    }
  }

  /// A store that has too much to do, has it for a while.
  private void pause(int attempt) throws IOException {
    try {
      if (store.isRemote()) {
        Thread.sleep(FIRST_PAUSE_MILLISECONDS << attempt);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /// Whether a version that was put stays: what it follows was the newest at `readAt`.
  private boolean isKept(Manifest put, Set<String> newData, Instant readAt) throws IOException {
    Instant now = clock.instant();
    return retention.withinReadWindow(readAt, now)
        || new StaleCommitCheck(store, retention, put, newData).stillValid(now);
  }

  /// A version that was committed.
  ///
  /// @param created whether the dataset did not exist before
  /// @param extents of what was committed now; none when it was before, with the same key
  public record Commit(VersionSummary summary, boolean created, List<BlobExtent> extents) {}
}
