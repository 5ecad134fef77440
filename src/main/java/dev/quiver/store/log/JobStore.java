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

/// The states of jobs, as a [RevisionLog] at `jobs/`.
final class JobStore {

  static final String PREFIX = "jobs/";

  private static final Logger LOG = System.getLogger(JobStore.class.getName());

  /// The revision after which the first state of a job is put.
  static final long NONE = -1;

  private static final int ID_LENGTH = 26;
  private static final int PAGE_SIZE = 1_000;

  /// The number of revisions of a day. An id that is used again on another day has other keys, of
  /// which no service has a copy of before.
  private static final long DAILY_REVISIONS = 1_000_000;

  private final BlobStore store;
  private final RevisionLog states;

  JobStore(BlobStore store) {
    this.store = store;
    this.states = new RevisionLog(store, PREFIX);
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
    return states.newest(id, this::read);
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
      return new Stored(parser.apply(json), RevisionLog.revision(key));
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
    boolean isLatest =
        states.put(
            job.id(),
            revision,
            JobJson.write(job),
            /* former= */ null,
            key -> read(key).job().isSameAs(job));
    if (!isLatest) {
      return null;
    }
    if (after != NONE) {
      store.delete(states.key(job.id(), after));
    }
    return new Stored(job, revision);
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
        return states.newest(id, this::readFirstLine);
      }
    } catch (InvalidJobException e) {
      LOG.log(Level.WARNING, "A job is left out: {0}", e.getMessage());
      return null;
    }
  }

  /// Deletes all states of a job, the latest one last.
  void delete(String id) throws IOException {
    List<String> keys = store.list(states.start(id), null, PAGE_SIZE);
    for (String key : keys.reversed()) {
      store.delete(key);
    }
  }

  /// Returns the id in a key, or null if it is the key of something else.
  private @Nullable String id(String key) {
    String id = states.id(key);
    return id != null && isId(id) ? id : null;
  }
}
