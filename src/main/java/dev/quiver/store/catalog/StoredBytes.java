package dev.quiver.store.catalog;

import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.BlobWriters;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.StoreKeys;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The bytes that the blobs of each writer take in the store: data that a version names or named,
/// with its sidecars, until garbage collection deletes it.
///
/// Commits of this process count at once. Commits of others, and deletions, count from the next
/// [StoreScan]. Before a write of a limited writer, the last scan is at most a minute old, and
/// before a rejection, a second, unless scans take long. Without limited writers, it has no scans.
/// Memory grows with the number of blobs, by some 300 bytes for each.
public final class StoredBytes {

  private static final Duration MAXIMUM_AGE = Duration.ofMinutes(1);
  private static final Duration REJECTION_AGE = Duration.ofSeconds(1);

  /// Scans take at most a part of the time, even if every write asks for one.
  private static final int PAUSES_PER_SCAN = 10;

  private final BlobStore store;
  private final InstantSource clock;

  /// Held during a scan, for which other writes that need one wait.
  private final ReentrantLock scanning = new ReentrantLock();

  // Guarded by this:
  private final Map<String, StoredBlob> blobs = new HashMap<>();
  private final Map<String, Long> stored = new HashMap<>();
  private final Map<String, Long> taken = new HashMap<>();
  private final Map<String, Search> searches = new HashMap<>();
  private long scanNumber;
  private @Nullable Instant scannedAt;
  private Duration scanDuration = Duration.ZERO;

  /// A blob with a known version.
  ///
  /// @param writer the id of its writer; empty if unknown
  /// @param seenBy the number of the last scan that saw it, or that was running or over when this
  ///   process put it
  private record StoredBlob(String writer, long byteSize, long seenBy) {}

  /// A search for the versions of data, of a name, that none of its manifests names.
  ///
  /// @param newest the key of the latest manifest that was read, which is the least key
  /// @param number the number of the scan
  record Search(@Nullable String newest, Set<String> unnamed, long number) {

    /// Returns whether neither a manifest nor older ones can name these blobs.
    boolean isDone(String manifestKey, Set<String> blobKeys) {
      return newest != null && manifestKey.compareTo(newest) >= 0 && unnamed.containsAll(blobKeys);
    }
  }

  public StoredBytes(BlobStore store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  public WriteCharge charge(Writer writer) {
    return new WriteCharge(this, writer);
  }

  /// Counts bytes that a limited writer is about to write.
  ///
  /// @throws WriterFullException if there are too many
  void take(Writer writer, long byteSize) throws IOException {
    scan(MAXIMUM_AGE);
    if (takeWithin(writer, byteSize) == 0) {
      return;
    }
    // Something may have been deleted.
    scan(REJECTION_AGE);
    long found = takeWithin(writer, byteSize);
    if (found > 0) {
      throw new WriterFullException(writer.storedBytes(), found);
    }
  }

  /// @return 0, or the bytes that are too many and were not counted
  private synchronized long takeWithin(Writer writer, long byteSize) {
    long total =
        stored.getOrDefault(writer.id(), 0L) + taken.getOrDefault(writer.id(), 0L) + byteSize;
    if (total > writer.storedBytes().maximum()) {
      return total;
    }
    taken.merge(writer.id(), byteSize, Long::sum);
    return 0;
  }

  synchronized void giveBack(Writer writer, long byteSize) {
    if (byteSize > 0) {
      add(taken, writer.id(), -byteSize);
    }
  }

  /// Counts what this process has committed in place of the bytes that were taken for it. In
  /// between, no other write finds room.
  synchronized void committed(
      Writer writer, long takenByteSize, Manifest manifest, Map<String, Long> byteSizes) {
    giveBack(writer, takenByteSize);
    if (scanNumber == 0) {
      // The first scan finds it, if there ever is one.
      return;
    }
    for (String key : dataKeys(manifest)) {
      for (String blobKey : List.of(key, StoreKeys.sidecar(key))) {
        Long byteSize = byteSizes.get(blobKey);
        if (byteSize != null) {
          put(blobKey, writer(manifest, key), byteSize);
        }
      }
    }
  }

  private void scan(Duration maximumAge) throws IOException {
    if (isRecent(maximumAge)) {
      return;
    }
    scanning.lock();
    try {
      if (!isRecent(maximumAge)) {
        Instant start = clock.instant();
        long startNanos = System.nanoTime();
        new StoreScan(store, this, begin()).run();
        end(start, Duration.ofNanos(System.nanoTime() - startNanos));
      }
    } finally {
      scanning.unlock();
    }
  }

  private synchronized boolean isRecent(Duration maximumAge) {
    if (scannedAt == null) {
      return false;
    }
    Duration age = Duration.between(scannedAt, clock.instant());
    Duration pause = scanDuration.multipliedBy(PAUSES_PER_SCAN);
    // A clock may be set back.
    return !age.isNegative() && age.compareTo(Collections.max(List.of(maximumAge, pause))) <= 0;
  }

  private synchronized long begin() {
    return ++scanNumber;
  }

  /// Forgets the blobs that a scan of the whole store has not seen.
  private synchronized void end(Instant start, Duration duration) {
    blobs
        .entrySet()
        .removeIf(entry -> {
          StoredBlob blob = entry.getValue();
          boolean isGone = blob.seenBy < scanNumber;
          if (isGone) {
            add(stored, blob.writer, -blob.byteSize);
          }
          return isGone;
        });
    searches.values().removeIf(search -> search.number < scanNumber);
    scannedAt = start;
    scanDuration = duration;
  }

  /// Notes that a scan has seen a blob.
  ///
  /// @return whether a version of it is known
  synchronized boolean see(String blobKey, long number) {
    return blobs.computeIfPresent(
            blobKey, (_, blob) -> new StoredBlob(blob.writer, blob.byteSize, number))
        != null;
  }

  /// Returns the last search for the data of a name, or null if absent.
  synchronized @Nullable Search lastSearch(String folder, long number) {
    Search last = searches.get(folder);
    return last == null || last.number == number ? null : last;
  }

  /// Notes that no manifest of a name, up to the newest, names these blobs.
  ///
  /// @param newest the key of the latest manifest that was read, or null to keep the key of the
  ///   last search
  synchronized void searched(
      String folder, @Nullable String newest, Set<String> unnamed, long number) {
    Search last = searches.get(folder);
    String latest = newest == null && last != null ? last.newest : newest;
    Set<String> all = new HashSet<>(unnamed);
    if (last != null && last.number == number) {
      // The listing of the data of this name has several pages.
      all.addAll(last.unnamed);
      latest = last.newest;
    }
    searches.put(folder, new Search(latest, Set.copyOf(all), number));
  }

  /// Counts the blobs of a version that a scan has found.
  ///
  /// @param byteSizes the sizes of the blobs to count, by their keys; blobs of the version are
  ///   removed
  synchronized void found(Manifest manifest, Map<String, Long> byteSizes) {
    for (String key : dataKeys(manifest)) {
      for (String blobKey : List.of(key, StoreKeys.sidecar(key))) {
        Long byteSize = byteSizes.remove(blobKey);
        if (byteSize != null) {
          put(blobKey, writer(manifest, key), byteSize);
        }
      }
    }
  }

  private void put(String blobKey, String writer, long byteSize) {
    if (blobs.putIfAbsent(blobKey, new StoredBlob(writer, byteSize, scanNumber)) == null) {
      add(stored, writer, byteSize);
    }
  }

  private static void add(Map<String, Long> sums, String writer, long byteSize) {
    sums.merge(writer, byteSize, (a, b) -> a + b == 0 ? null : Long.valueOf(a + b));
  }

  private static Set<String> dataKeys(Manifest manifest) {
    return manifest.extents().stream().map(BlobExtent::key).collect(Collectors.toSet());
  }

  private static String writer(Manifest manifest, String blobKey) {
    @Nullable String writer = manifest.writers().of(blobKey);
    return Objects.requireNonNullElse(writer, BlobWriters.UNKNOWN);
  }
}
