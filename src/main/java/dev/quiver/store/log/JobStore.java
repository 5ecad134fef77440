package dev.quiver.store.log;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.Ulid;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The states of jobs as blobs, which are never overwritten.
///
/// ```
/// State    --> "jobs/" Id "." InvertedRevision
/// ```
///
/// The inverted revision is 2⁶³-1 minus the revision, in 19 digits, so that the latest state of a
/// job comes first. A state is put after the one that its writer read, which is deleted afterwards:
/// of two writers that read the same state, one succeeds.
final class JobStore {

  static final String PREFIX = "jobs/";

  private static final Logger LOG = System.getLogger(JobStore.class.getName());

  /// The revision after which the first state of a job is put.
  static final long NONE = -1;

  private static final int INVERTED_DIGITS = 19;
  private static final int ID_LENGTH = 26;
  private static final int PAGE_SIZE = 1_000;
  private static final int ATTEMPTS = 10;

  /// The number of keys among which the newest one of a job is.
  private static final int NEWEST_KEYS = 10;

  /// The number of revisions of a day. An id that is used again on another day has other keys, of
  /// which no service has a copy of before.
  private static final long DAILY_REVISIONS = 1_000_000;

  private final BlobStore store;

  JobStore(BlobStore store) {
    this.store = store;
  }

  /// Reports a blob that is not a job.
  private static final class InvalidJobException extends IOException {

    private static final long serialVersionUID = 1;

    InvalidJobException(String message, IllegalArgumentException cause) {
      super(message, cause);
    }
  }

  /// A job, and the revision of its state.
  record Stored(Job job, long revision) {}

  /// Returns whether a text has the form of an id.
  static boolean isId(String text) {
    try {
      Ulid.time(text);
      return text.length() == ID_LENGTH;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /// Returns the latest state of a job, or null if it does not exist.
  @Nullable Stored find(String id) throws IOException {
    return find(id, this::read);
  }

  /// The reading of a state.
  @FunctionalInterface
  private interface Reader {

    Stored read(String key) throws IOException;
  }

  private @Nullable Stored find(String id, Reader reader) throws IOException {
    for (int attempt = 1; ; attempt++) {
      String key = newestKey(id);
      if (key == null) {
        return null;
      }
      try {
        return reader.read(key);
      } catch (NoSuchBlobException e) {
        // A later state has replaced it.
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private @Nullable String newestKey(String id) throws IOException {
    // A store may list other names for a moment, such as of writes in progress.
    return store.list(prefix(id), null, NEWEST_KEYS).stream()
        .filter(key -> id(key) != null)
        .findFirst()
        .orElse(null);
  }

  private Stored read(String key) throws IOException {
    return read(key, Integer.MAX_VALUE, JobJson::read);
  }

  private Stored readFirstLine(String key) throws IOException {
    return read(key, JobJson.FIRST_LINE_BYTE_SIZE, JobJson::readFirstLine);
  }

  private Stored read(String key, int maximumByteSize, Function<byte[], Job> parser)
      throws IOException {
    try (Blob blob = store.open(key)) {
      byte[] json = new byte[Math.toIntExact(Math.min(blob.byteSize(), maximumByteSize))];
      blob.readFully(0, MemorySegment.ofArray(json));
      return new Stored(parser.apply(json), revision(key));
    } catch (IllegalArgumentException e) {
      throw new InvalidJobException(e.getMessage() + " at " + key, e);
    }
  }

  /// Puts a state after another one, even if no space is left for uploads.
  ///
  /// @param after the revision of that state
  /// @return null if another state follows it already
  @Nullable Stored put(Job job, long after) throws IOException {
    long revision =
        after == NONE
            ? job.createdAt().atOffset(ZoneOffset.UTC).toLocalDate().toEpochDay() * DAILY_REVISIONS
            : after + 1;
    String key = key(job.id(), revision);
    if (!store.putReserved(key, MemorySegment.ofArray(JobJson.write(job))) && !holds(key, job)) {
      return null;
    }
    // The key is also unused if its state was replaced and deleted meanwhile.
    if (!key.equals(newestKey(job.id()))) {
      store.delete(key);
      return null;
    }
    if (after != NONE) {
      store.delete(key(job.id(), after));
    }
    return new Stored(job, revision);
  }

  /// Returns whether a blob is this state: a put may take effect although it fails.
  private boolean holds(String key, Job job) throws IOException {
    try {
      return read(key).job().isSameAs(job);
    } catch (NoSuchBlobException e) {
      return false;
    }
  }

  /// Returns jobs in the order of their ids, without the members of their problems and results,
  /// which are not read.
  ///
  /// @param afterId the id after which to start, or null to start with the first
  List<Stored> list(@Nullable String afterId, int limit) throws IOException {
    List<Stored> jobs = new ArrayList<>();
    String lastId = afterId;
    // In the order of the store, "/" is the character after ".".
    String last = afterId == null ? null : PREFIX + afterId + "/";
    while (true) {
      List<String> page = store.list(PREFIX, last, PAGE_SIZE);
      for (String key : page) {
        if (jobs.size() == limit) {
          return jobs;
        }
        String id = id(key);
        if (id != null && !id.equals(lastId)) {
          Stored found = readLatest(key, id);
          if (found != null) {
            jobs.add(found);
          }
          lastId = id;
        }
      }
      if (page.size() < PAGE_SIZE) {
        return jobs;
      }
      last = page.getLast();
    }
  }

  /// Reads a state that was just listed, or the one that has replaced it.
  ///
  /// @return null if the job does not exist anymore, or cannot be read
  private @Nullable Stored readLatest(String key, String id) throws IOException {
    try {
      try {
        return readFirstLine(key);
      } catch (NoSuchBlobException e) {
        return find(id, this::readFirstLine);
      }
    } catch (InvalidJobException e) {
      LOG.log(Level.WARNING, "A job is left out: {0}", e.getMessage());
      return null;
    }
  }

  /// Deletes all states of a job, the latest one last.
  void delete(String id) throws IOException {
    List<String> keys = store.list(prefix(id), null, PAGE_SIZE);
    for (String key : keys.reversed()) {
      store.delete(key);
    }
  }

  private static String prefix(String id) {
    return PREFIX + id + ".";
  }

  private static String key(String id, long revision) {
    String inverted = Long.toString(Long.MAX_VALUE - revision);
    return prefix(id) + "0".repeat(INVERTED_DIGITS - inverted.length()) + inverted;
  }

  private static long revision(String key) {
    return Long.MAX_VALUE - Long.parseLong(key.substring(key.lastIndexOf('.') + 1));
  }

  /// Returns the id in a key, or null if it is the key of something else.
  private static @Nullable String id(String key) {
    int dot = key.indexOf('.');
    if (dot < 0 || key.length() != dot + 1 + INVERTED_DIGITS) {
      return null;
    }
    String id = key.substring(PREFIX.length(), dot);
    return isId(id) ? id : null;
  }
}
