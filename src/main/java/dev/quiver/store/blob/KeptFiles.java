package dev.quiver.store.blob;

import dev.quiver.arrow.parallel.CancelledException;
import dev.quiver.arrow.parallel.SharedTasks;
import java.io.IOException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Files that are written once and kept for later requests. The one that was not used for the
/// longest time makes room for others, unless a request uses it.
///
/// Requests that need the same file at the same time share its writing, which ends early if all
/// their clients leave. Shared by threads.
public final class KeptFiles {

  private static final System.Logger LOG = System.getLogger(KeptFiles.class.getName());

  /// The number of files beyond which one that no request uses is deleted.
  static final int COUNT_MAXIMUM = 1_000;

  private final Spool spool;
  private final SharedTasks<String, KeptFile> writings = new SharedTasks<>();

  /// The files by key, the last used last.
  private final Map<String, KeptFile> files = new LinkedHashMap<>(16, 0.75f, true);

  private final LongAdder evictions = new LongAdder();

  KeptFiles(Spool spool) {
    this.spool = spool;
  }

  /// Writes a file.
  @FunctionalInterface
  public interface Writing {

    /// @return the whole file, out of a worker's reach
    /// @throws CancelledException if no request wants the file anymore
    SpooledFile run() throws IOException;
  }

  /// Returns a file, which is written unless it is kept. It stays until the result is closed.
  ///
  /// @param key of the content: equal for equal bytes alone
  /// @throws CancelledException if this request does not want the file anymore
  public KeptFile open(String key, Writing writing) throws IOException {
    while (true) {
      KeptFile present = find(key);
      if (present != null) {
        return present;
      }
      // A file that another thread has written may be gone already.
      KeptFile written = write(key, writing);
      if (written != null) {
        return written;
      }
    }
  }

  /// Writes the file, or waits for another thread that does.
  ///
  /// @return the file if this thread has written it, and otherwise null
  private @Nullable KeptFile write(String key, Writing writing) throws IOException {
    KeptFile[] own = {null};
    var _ =
        writings.get(
            key,
            _ -> {
              // Another thread may have written it since this one looked.
              KeptFile present = find(key);
              own[0] = present == null ? keep(key, writing.run()) : present;
              return own[0];
            });
    return own[0];
  }

  /// Returns a file if it is kept, or null. It stays until the result is closed.
  public synchronized @Nullable KeptFile find(String key) {
    KeptFile present = files.get(key);
    if (present != null) {
      if (present.uses == 0) {
        present.own();
      }
      present.uses++;
    }
    return present;
  }

  private KeptFile keep(String key, SpooledFile file) {
    KeptFile kept = new KeptFile(this, file);
    boolean full;
    synchronized (this) {
      files.put(key, kept);
      full = files.size() > COUNT_MAXIMUM;
    }
    if (full) {
      evictOne();
    }
    return kept;
  }

  synchronized void release(KeptFile file) {
    file.uses--;
    if (file.uses == 0) {
      // It makes room for whatever needs its space.
      file.disown();
    }
  }

  /// Deletes the file that was not used for the longest time.
  ///
  /// @return false if requests use all files
  boolean evictOne() {
    KeptFile evicted = null;
    synchronized (this) {
      for (Iterator<KeptFile> all = files.values().iterator(); all.hasNext() && evicted == null; ) {
        KeptFile file = all.next();
        if (file.uses == 0) {
          all.remove();
          evicted = file;
        }
      }
    }
    if (evicted != null) {
      evicted.delete();
      evictions.increment();
    }
    return evicted != null;
  }

  /// Returns the number of files that were deleted to make room.
  public long evictionCount() {
    return evictions.sum();
  }

  /// Returns the number of files that are kept.
  public synchronized int count() {
    return files.size();
  }

  /// Deletes all files.
  synchronized void close() {
    files.values().forEach(KeptFile::delete);
    files.clear();
  }

  static void log(IOException failure) {
    LOG.log(System.Logger.Level.WARNING, "A file was not deleted: {0}", failure.getMessage());
  }
}
