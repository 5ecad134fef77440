package dev.quiver.store;

import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.file.Verification;
import dev.quiver.store.version.DatasetGoneException;
import dev.quiver.store.version.DatasetNotFoundException;
import dev.quiver.store.version.DatasetReference;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/// Checks of versions, and of all blobs that they need, against their checksums in the store
/// itself.
public final class StoreChecks {

  private static final Logger LOG = System.getLogger(StoreChecks.class.getName());

  private static final int PAGE_SIZE = 10_000;

  private final BlobStore store;
  private final Catalog catalog;

  StoreChecks(BlobStore store, Catalog catalog) {
    this.store = store;
    this.catalog = catalog;
  }

  /// Checks the version of a reference.
  ///
  /// @param progress accepts the bytes that are read, and may end the check by an exception
  /// @throws DatasetNotFoundException if the dataset or version never existed
  /// @throws DatasetGoneException if it was deleted
  public Verification.Result verify(DatasetReference reference, Verification.Progress progress)
      throws IOException {
    VersionSummary summary = catalog.resolve(reference);
    Verification verification = new Verification(store, progress);
    verification.check(StoreKeys.manifest(summary.name(), summary.version()));
    return verification.result();
  }

  /// Checks all versions in one pass over the store. Data of earlier releases without checksums
  /// gets them. A dataset that cannot be read is logged and skipped. Several services may do so at
  /// a time. If the [Cancellation] is requested, the pass ends before the next version.
  ///
  /// @throws IOException if the store cannot be listed, or is lost meanwhile
  public ScrubResult scrub(Verification.Progress progress) throws IOException {
    Cancellation cancellation = Cancellation.current();
    ScrubResult total = ScrubResult.NOTHING;
    List<String> manifests = new ArrayList<>();
    String after = null;
    boolean atEnd = false;
    while (!atEnd && !cancellation.isRequested()) {
      List<String> page = StoreKeys.listManifests(store, StoreKeys.MANIFESTS, after, PAGE_SIZE);
      for (String key : page) {
        if (!manifests.isEmpty()
            && !StoreKeys.folder(key).equals(StoreKeys.folder(manifests.getFirst()))) {
          total = total.plus(check(manifests, cancellation, progress));
          manifests = new ArrayList<>();
        }
        manifests.add(key);
      }
      atEnd = page.size() < PAGE_SIZE;
      after = page.isEmpty() ? null : page.getLast();
    }
    return total.plus(check(manifests, cancellation, progress));
  }

  /// @param manifests the manifests of one dataset
  private ScrubResult check(
      List<String> manifests, Cancellation cancellation, Verification.Progress progress)
      throws IOException {
    Verification verification = new Verification(store, progress);
    try {
      for (String manifest : manifests) {
        if (cancellation.isRequested()) {
          return ScrubResult.of(verification.result());
        }
        verification.check(manifest);
      }
      verification.addMissing();
    } catch (IOException e) {
      if (cancellation.isRequested() || !store.isReachable()) {
        throw e;
      }
      FailureLog.log(LOG, Level.ERROR, "Cannot check the dataset of " + manifests.getFirst(), e);
    }
    return ScrubResult.of(verification.result());
  }
}
