package dev.quiver.store.catalog;

import dev.quiver.arrow.parallel.TaskFailures;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.blob.Steps;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.ManifestFormat;
import dev.quiver.store.version.Sidecar;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionKind;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// The blobs that one write creates, until a manifest names them.
///
/// Used by one thread, apart from what it lets another do.
final class NewBlobs implements AutoCloseable {

  private static final Logger LOG = System.getLogger(NewBlobs.class.getName());

  /// The number of times a manifest is put before its write fails.
  private static final int LOCAL_ATTEMPTS = 2;

  private static final int REMOTE_ATTEMPTS = 4;
  private static final long FIRST_PAUSE_MILLISECONDS = 50;

  private final Catalog catalog;
  private final BlobStore store;
  private final WriteCharge charge;
  private final Map<String, BlobUpload> uploads = new LinkedHashMap<>();
  private final Map<String, Sidecar> sidecars = new HashMap<>();

  /// The sizes of the blobs that were put.
  private final Map<String, Long> byteSizes = new ConcurrentHashMap<>();

  /// The visible blobs that no manifest names yet.
  private final Set<String> sealed = ConcurrentHashMap.newKeySet();

  /// Whether a manifest that names the blobs may exist.
  private boolean inDoubt;

  /// @param charge counts the bytes of the blobs
  NewBlobs(Catalog catalog, BlobStore store, WriteCharge charge) {
    this.catalog = catalog;
    this.store = store;
    this.charge = charge;
  }

  /// Begins a data blob, which this owns.
  BlobUpload begin(String blobKey) throws IOException {
    return own(blobKey, charge.charged(store.begin(blobKey)));
  }

  /// Takes ownership of a blob.
  <B extends BlobUpload> B own(String blobKey, B upload) {
    uploads.put(blobKey, upload);
    return upload;
  }

  /// Returns a blob of this write, which is readable whether or not it is sealed.
  BlobUpload upload(String blobKey) {
    return Objects.requireNonNull(uploads.get(blobKey));
  }

  /// Adds the sidecar of a blob, which is stored beside it.
  void addSidecar(String blobKey, Sidecar sidecar) {
    sidecars.put(blobKey, sidecar);
  }

  /// Returns the sidecars of the blobs, by the keys of the blobs.
  Map<String, Sidecar> sidecars() {
    return sidecars;
  }

  /// Makes the blobs of these extents that belong to this write durable and visible, each once.
  void seal(List<BlobExtent> extents) throws IOException {
    for (BlobExtent extent : extents) {
      BlobUpload upload = uploads.get(extent.key());
      if (upload == null || sealed.contains(extent.key())) {
        continue;
      }
      Sidecar sidecar = sidecars.get(extent.key());
      if (sidecar == null) {
        commit(upload, extent.key());
      } else {
        commit(upload, extent.key(), sidecar.write());
      }
    }
  }

  /// Seals a blob and puts its sidecar. A remote store does both at the same time, since each takes
  /// a request. Until a manifest names them, their order means nothing.
  private void commit(BlobUpload upload, String blobKey, MemorySegment sidecar) throws IOException {
    String sidecarKey = StoreKeys.sidecar(blobKey);
    if (!store.isRemote()) {
      commit(upload, blobKey);
      put(sidecarKey, sidecar);
      return;
    }
    FutureTask<@Nullable Void> beside =
        new FutureTask<>(() -> {
          put(sidecarKey, sidecar);
          return null;
        });
    Thread.startVirtualThread(Steps.carried(beside));
    try {
      commit(upload, blobKey);
    } catch (IOException | RuntimeException | Error e) {
      try {
        await(beside);
      } catch (IOException | RuntimeException failure) {
        e.addSuppressed(failure);
      }
      throw e;
    }
    await(beside);
  }

  /// Waits for a put that another thread makes, even if this thread is interrupted: afterwards, it
  /// is known whether the blob exists.
  private static void await(FutureTask<?> put) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          put.get();
          return;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw TaskFailures.rethrown(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Puts a small blob, which is then durable and visible.
  void put(String blobKey, MemorySegment bytes) throws IOException {
    charge.take(bytes.byteSize());
    try (BlobUpload upload = store.begin(blobKey)) {
      upload.write(bytes);
      commit(upload, blobKey);
    }
  }

  private void commit(BlobUpload upload, String blobKey) throws IOException {
    if (!upload.commit()) {
      throw new IOException("Expected no blob but found one at " + blobKey);
    }
    sealed.add(blobKey);
    byteSizes.put(blobKey, upload.position());
  }

  /// Puts a manifest that names the blobs, and resolves the doubt that a failure leaves. The
  /// summary identifies the manifest, so that it may be put any number of times.
  ///
  /// @return false if another commit has the version
  boolean putManifest(Manifest manifest, MemorySegment tail) throws IOException {
    VersionSummary summary = manifest.summary();
    String manifestKey = StoreKeys.manifest(summary.name(), summary.version());
    MemorySegment content = ManifestFormat.write(manifest, tail);
    inDoubt = true;
    int attempts = store.isRemote() ? REMOTE_ATTEMPTS : LOCAL_ATTEMPTS;
    for (int attempt = 1; ; attempt++) {
      try {
        // A second put makes the existing manifest durable, regardless of which writer put it.
        boolean put =
            summary.kind() == VersionKind.DELETE
                ? store.putReserved(manifestKey, content)
                : store.putIfAbsent(manifestKey, content);
        return put || isPut(manifestKey, summary);
      } catch (IOException e) {
        if (attempt == attempts) {
          inDoubt = store.isRemote() || store.exists(manifestKey);
          throw e;
        }
        pause(attempt);
      }
    }
  }

  /// Notes that no manifest names the blobs, since another one has the version.
  void refused() {
    inDoubt = false;
  }

  /// Returns whether the existing manifest is the one of this summary. A network file system or a
  /// proxy may repeat a put that took effect, and report that the key exists.
  private boolean isPut(String manifestKey, VersionSummary summary) throws IOException {
    try {
      return catalog.manifest(manifestKey).summary().equals(summary);
    } catch (NoSuchBlobException e) {
      return false;
    }
  }

  /// Waits before another attempt, since a remote store that is overloaded stays so for a while.
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

  /// Notes that a committed manifest names its blobs, so that they stay.
  void keep(Manifest manifest) {
    sealed.removeAll(manifest.blobKeys());
    inDoubt = false;
    charge.commit(manifest, byteSizes);
  }

  /// Discards the blobs that are not sealed.
  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (BlobUpload upload : uploads.values()) {
      try {
        upload.close();
      } catch (IOException e) {
        if (failure != null) {
          e.addSuppressed(failure);
        }
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /// Deletes the sealed blobs that no manifest names, unless one that names them may exist. The
  /// garbage collector finds any that cannot be deleted now.
  void deleteUnnamed() {
    if (inDoubt) {
      return;
    }
    for (String blobKey : sealed) {
      try {
        store.delete(blobKey);
      } catch (IOException e) {
        FailureLog.log(
            LOG, Level.WARNING, "A blob that no version names could not be deleted: " + blobKey, e);
      }
    }
  }
}
