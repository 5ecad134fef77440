package dev.quiver.store.catalog;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.ColumnConversion;
import dev.quiver.store.version.DatasetName;
import dev.quiver.store.version.FileChecksums;
import dev.quiver.store.version.IdempotencyKey;
import dev.quiver.store.version.Lineage;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.PreconditionFailedException;
import dev.quiver.store.version.RememberedKeys;
import dev.quiver.store.version.Sidecar;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.Ulid;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import dev.quiver.store.version.WriteCondition;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One write of a dataset: it owns the blobs that the write creates, and commits the version that
/// names them.
///
/// A commit puts a manifest after the latest one, under a key that has none. If another commit is
/// faster, it retries after that one. [#close] deletes the blobs that no manifest names. If the
/// fate of the manifest is unknown, the blobs stay, and the garbage collector decides.
///
/// Used by one thread.
public final class WriteTransaction implements AutoCloseable {

  private static final Logger LOG = System.getLogger(WriteTransaction.class.getName());

  private final Catalog catalog;
  private final BlobStore store;
  private final InstantSource clock;
  private final Retention retention;
  private final DatasetName name;
  private final @Nullable IdempotencyKey key;
  private final String commitId;
  private final WriteCharge charge;
  private final NewBlobs blobs;

  /// The blobs of remembered keys that are known not to have [#key].
  private final Set<String> searchedKeyBlobs = new HashSet<>();

  private WriteCondition condition;

  /// The latest version of a remote store by [#check], until a commit follows it.
  private @Nullable Checked checked;

  private boolean committed;

  WriteTransaction(
      Catalog catalog,
      BlobStore store,
      InstantSource clock,
      Retention retention,
      DatasetName name,
      WriteCondition condition,
      @Nullable IdempotencyKey key,
      WriteCharge charge) {
    this.catalog = catalog;
    this.store = store;
    this.clock = clock;
    this.retention = retention;
    this.name = name;
    this.condition = condition;
    this.key = key;
    this.commitId = Ulid.next(clock.instant());
    this.charge = charge;
    this.blobs = new NewBlobs(catalog, store, charge);
  }

  /// Checks the latest version before the body of the write is read. Asks the catalog once.
  ///
  /// @return the earlier commit with the same idempotency key, or null if absent
  /// @throws PreconditionFailedException if the condition does not hold
  public @Nullable Commit check() throws IOException {
    while (true) {
      Instant readAt = clock.instant();
      try (Catalog.OpenManifest newest = catalog.openNewest(name)) {
        try {
          Commit replayed = replayedOrAllowed(current(newest));
          if (replayed == null && store.isRemote()) {
            checked = new Checked(newest == null ? 0 : newest.summary().version(), readAt);
          }
          return replayed;
        } catch (NoSuchBlobException e) {
          requireReplaced(newest, e);
        }
      }
    }
  }

  /// Returns a key that no blob has, for data of this write.
  public String newKey() {
    return StoreKeys.newData(name, clock.instant());
  }

  /// Starts a blob under a key from [#newKey], which this write owns.
  public BlobUpload begin(String blobKey) throws IOException {
    return blobs.begin(blobKey);
  }

  /// Takes ownership of a blob that will have a key from [#newKey].
  public <B extends BlobUpload> B own(String blobKey, B upload) {
    return blobs.own(blobKey, upload);
  }

  /// Returns a blob of this write, which is readable whether or not it is sealed.
  public BlobUpload upload(String blobKey) {
    return blobs.upload(blobKey);
  }

  /// Adds the sidecar of a new blob, which is stored beside it.
  public void addSidecar(String blobKey, Sidecar sidecar) {
    blobs.addSidecar(blobKey, sidecar);
  }

  /// Makes the new blobs of a version durable and visible, each once. [#commit] does so as soon as
  /// the conditions are known to hold.
  public void seal(NextVersion version) throws IOException {
    blobs.seal(version.extents());
  }

  /// Commits a version after the one that is then the latest.
  ///
  /// @return the commit, or the earlier one with the same idempotency key, or null if `update` has
  ///   nothing to commit
  /// @throws PreconditionFailedException if the condition does not hold, or no longer does
  public @Nullable Commit commit(VersionUpdate update) throws IOException {
    Refusals refusals = null;
    while (true) {
      Checked before = takeChecked();
      Instant readAt = before == null ? clock.instant() : before.readAt;
      try (Catalog.OpenManifest newest = open(before)) {
        if (refusals != null) {
          refusals.await(newest);
        }
        Catalog.OpenManifest current = current(newest);
        NextVersion next;
        RememberedKeys keys;
        FileChecksums nextChecksums;
        try {
          Commit replayed = replayedOrAllowed(current);
          if (replayed != null) {
            return replayed;
          }
          next = update.applyTo(current);
          keys = next == null ? RememberedKeys.NONE : keys(newest, current, next);
          nextChecksums = next == null ? FileChecksums.UNKNOWN : checksums(newest, next);
        } catch (NoSuchBlobException e) {
          requireReplaced(newest, e);
          continue;
        } catch (OutdatedVersionException e) {
          continue;
        }
        if (next == null) {
          return null;
        }
        seal(next);
        if (!retention.withinReadWindow(readAt, clock.instant()) && !isStillNewest(newest)) {
          continue;
        }
        Manifest manifest =
            new NextManifest(
                    name,
                    commitId,
                    newest,
                    current,
                    next,
                    key != null,
                    keys,
                    nextChecksums,
                    charge.writer())
                .committedAt(clock.instant());
        Set<String> newData = newData(manifest, newest);
        retention.requireCommittable(newData, clock.instant());
        if (blobs.putManifest(manifest, next.tail()) && stillValid(manifest, newData, readAt)) {
          // This comes first: from here on, nothing may delete the data that the version names.
          blobs.keep(manifest);
          committed = true;
          catalog.recordLatest(manifest.summary(), readAt);
          return new Commit(
              manifest.summary(),
              current == null,
              manifest.extents(),
              manifest.lineage(),
              next.conversions());
        }
        blobs.refused();
        catalog.recordExisting(name, manifest.summary().version(), readAt);
        refusals = refusals == null ? new Refusals(store.isRemote()) : refusals;
        refusals.add(newest);
      }
    }
  }

  /// The latest version when it was checked.
  ///
  /// @param version 0 if there was none
  private record Checked(long version, Instant readAt) {}

  /// Returns what was checked before, once, if a version that follows it would be refused by any
  /// later one: the store need not be asked again.
  private @Nullable Checked takeChecked() {
    Checked before = checked;
    checked = null;
    return before != null && retention.withinReadWindow(before.readAt, clock.instant())
        ? before
        : null;
  }

  private Catalog.@Nullable OpenManifest open(@Nullable Checked before) throws IOException {
    if (before == null) {
      return catalog.openNewest(name);
    }
    if (before.version == 0) {
      return null;
    }
    Catalog.OpenManifest opened = catalog.openIfPresent(name, before.version);
    return opened == null ? catalog.openNewest(name) : opened;
  }

  /// Discards unsealed blobs, and deletes blobs that no manifest names.
  @Override
  public void close() throws IOException {
    try (charge) {
      blobs.close();
    } catch (IOException e) {
      if (!committed) {
        throw e;
      }
      FailureLog.log(LOG, Level.WARNING, "An upload of a committed version could not be closed", e);
    } finally {
      blobs.deleteUnnamed();
    }
  }

  /// Returns the latest version, or null if the dataset does not exist, is deleted or has expired.
  private Catalog.@Nullable OpenManifest current(Catalog.@Nullable OpenManifest newest) {
    return newest == null || newest.isDelete() || newest.summary().hasExpired(clock.instant())
        ? null
        : newest;
  }

  private @Nullable Commit replayedOrAllowed(Catalog.@Nullable OpenManifest current)
      throws IOException {
    Commit replayed = key == null || current == null ? null : replayed(current, key.hash());
    if (replayed == null) {
      // A condition that depends on the first version seen must not be decided by a later one.
      condition = condition.resolve(current == null ? null : current.summary());
      condition.require(current == null ? null : current.summary(), name);
    }
    return replayed;
  }

  private @Nullable Commit replayed(Catalog.OpenManifest current, String hash) throws IOException {
    RememberedKeys.Key remembered =
        current
            .manifest()
            .keys()
            .find(hash, current.summary().committedAt(), store, searchedKeyBlobs);
    if (remembered == null) {
      return null;
    }
    Manifest manifest = versionOrNewest(current.manifest(), remembered.version());
    return new Commit(
        manifest.summary(),
        remembered.version() == manifest.summary().firstVersion(),
        List.of(),
        manifest.lineage(),
        remembered.version() == manifest.summary().version() ? manifest.conversions() : List.of());
  }

  /// Returns the manifest of a version, or of the latest one if that version was deleted.
  private Manifest versionOrNewest(Manifest newest, long version) throws IOException {
    try {
      return catalog.manifest(StoreKeys.manifest(name, version));
    } catch (NoSuchBlobException e) {
      return newest;
    }
  }

  /// Returns the keys that the next version remembers. Puts them into a blob if they are too many
  /// for a manifest. A delete remembers none, since no write looks for keys before it. It must also
  /// succeed on a full disk, where no blob can be put.
  private RememberedKeys keys(
      Catalog.@Nullable OpenManifest newest,
      Catalog.@Nullable OpenManifest current,
      NextVersion next)
      throws IOException {
    if (next.kind() == VersionKind.DELETE) {
      return RememberedKeys.NONE;
    }
    Instant now = clock.instant();
    RememberedKeys keys =
        current == null ? RememberedKeys.NONE : current.manifest().keys().carried(now);
    if (key != null) {
      keys = keys.with(new RememberedKeys.Key(key.hash(), NextManifest.version(newest), now));
    }
    return keys.isFull()
        ? keys.spilled(store, now, StoreKeys.newKeys(name, now), blobs::put)
        : keys;
  }

  private FileChecksums checksums(Catalog.@Nullable OpenManifest newest, NextVersion next)
      throws IOException {
    return next.kind() == VersionKind.DELETE
        ? FileChecksums.UNKNOWN
        : new VersionChecksums(store, blobs.sidecars(), newest == null ? null : newest.manifest())
            .of(next);
  }

  /// Requires that a version with a missing blob was deleted after others were committed.
  private void requireReplaced(Catalog.@Nullable OpenManifest read, NoSuchBlobException missing)
      throws IOException {
    if (isStillNewest(read)) {
      throw missing;
    }
  }

  private boolean isStillNewest(Catalog.@Nullable OpenManifest read) throws IOException {
    try (Catalog.OpenManifest newest = catalog.openNewest(name)) {
      return newest == null
          ? read == null
          : read != null && newest.summary().equals(read.summary());
    }
  }

  /// Returns the keys of the blobs that no version names yet.
  private static Set<String> newData(Manifest next, Catalog.@Nullable OpenManifest newest) {
    Set<String> keys = next.blobKeys();
    if (newest != null) {
      keys.removeAll(newest.manifest().blobKeys());
    }
    return keys;
  }

  /// Returns whether a version that was put stays valid: its predecessor must have been the latest
  /// at `readAt`.
  private boolean stillValid(Manifest put, Set<String> newData, Instant readAt) throws IOException {
    Instant now = clock.instant();
    return retention.withinReadWindow(readAt, now)
        || new StaleCommitCheck(store, retention, put, newData).stillValid(now);
  }

  /// A committed version.
  ///
  /// @param created whether the dataset did not exist before
  /// @param extents the extents of the data; empty for an earlier commit with the same idempotency
  ///   key
  /// @param lineage the statement that computed the rows, or null
  /// @param conversions the columns that the write converted
  public record Commit(
      VersionSummary summary,
      boolean created,
      List<BlobExtent> extents,
      @Nullable Lineage lineage,
      List<ColumnConversion> conversions) {}
}
