package dev.quiver.store.log;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.FailureLog;
import dev.quiver.store.blob.NoSuchBlobException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The states and parts of uploads as blobs, which are never overwritten.
///
/// ```
/// State    --> a revision of a RevisionLog at "uploads/"
/// Outcome  --> "upload-outcomes/" Id, the last state of an upload that is stored
/// Part     --> "upload-parts/" Id "/" Random
/// Id       --> Principal Client Random
/// ```
///
/// The principal and its client are the begins of digests, so that the uploads of each of them
/// follow one another. The random part has 96 bits.
///
/// A state counts only if the one before it still exists when it is put, so no writer continues an
/// upload that was deleted.
public final class UploadStore {

  private static final Logger LOG = System.getLogger(UploadStore.class.getName());

  static final String STATES = "uploads/";
  static final String OUTCOMES = "upload-outcomes/";
  static final String PARTS = "upload-parts/";
  private static final Pattern ID = Pattern.compile("[0-9a-f]{48}");
  private static final int PRINCIPAL_LENGTH = 16;
  private static final int OWNER_LENGTH = 24;
  private static final int ID_LENGTH = 48;
  private static final int RANDOM_BYTE_SIZE = (ID_LENGTH - OWNER_LENGTH) / 2;
  static final int PAGE_SIZE = 1_000;

  /// The uploads that are read to find one that makes room, and those of one client among them.
  private static final int SAMPLE_COUNT = 64;

  private static final int OWNER_SAMPLE_COUNT = 32;

  /// The revision of a stored upload, whose state does not change anymore.
  private static final long NO_REVISION = -1;

  private final BlobStore store;
  private final RevisionLog states;
  private final SecureRandom random = new SecureRandom();

  public UploadStore(BlobStore store) {
    this.store = store;
    this.states = new RevisionLog(store, STATES);
  }

  /// The one on whose account an upload is kept.
  ///
  /// @param principal the name of its principal
  /// @param client distinguishes the clients of that principal, which share places
  public record Owner(String principal, String client) {

    private String prefix() {
      return digest(principal, PRINCIPAL_LENGTH) + digest(client, OWNER_LENGTH - PRINCIPAL_LENGTH);
    }
  }

  /// An upload, and the revision of its state.
  public record Stored(ResumableUpload upload, long revision) {

    /// Returns whether the upload is stored, so that its state does not change anymore.
    boolean isEnded() {
      return revision == NO_REVISION;
    }
  }

  /// Starts an upload without any bytes, under an id with 96 random bits.
  ///
  /// @param byteSize the size of the whole body, or null if it is unknown
  public Stored create(
      Owner owner, ResumableUpload.Request request, @Nullable Long byteSize, Instant now)
      throws IOException {
    ResumableUpload upload =
        new ResumableUpload(
            owner.prefix() + randomText(),
            owner.principal(),
            request,
            now,
            byteSize,
            false,
            List.of(),
            /* claim= */ null,
            /* triedAt= */ null,
            /* outcome= */ null);
    if (!store.putIfAbsent(states.key(upload.id(), 0), json(upload))) {
      throw new IOException("Expected a new id but found one in use at an upload");
    }
    return new Stored(upload, 0);
  }

  /// Returns the latest state of an upload, or null if it does not exist.
  public @Nullable Stored find(String id) throws IOException {
    if (!ID.matcher(id).matches()) {
      return null;
    }
    Stored found = states.newest(id, this::readUnlessEnded);
    return found == null ? findEnded(id) : found;
  }

  /// Returns a state, or that with the outcome: the service that put it may have been killed before
  /// it deleted the others.
  private Stored readUnlessEnded(String key) throws IOException {
    Stored stored = read(key);
    Stored ended = stored.upload().complete() ? findEnded(stored.upload().id()) : null;
    return ended == null ? stored : ended;
  }

  @Nullable Stored findEnded(String id) throws IOException {
    String key = OUTCOMES + id;
    try (Blob blob = store.open(key)) {
      return new Stored(upload(blob, key), NO_REVISION);
    } catch (NoSuchBlobException e) {
      return null;
    }
  }

  /// Starts a part, which belongs to the upload once a state names its key.
  public PartWriter begin(String id) throws IOException {
    String key = PARTS + id + "/" + randomText();
    return new PartWriter(key, store.begin(key));
  }

  /// Puts a state after another one.
  ///
  /// @param after the revision of that state
  /// @return null if another state follows it already, or the upload was deleted
  public @Nullable Stored put(ResumableUpload upload, long after) throws IOException {
    String former = states.key(upload.id(), after);
    boolean isLatest =
        states.put(
            upload.id(),
            after + 1,
            UploadJson.write(upload),
            former,
            key -> read(key).upload().equals(upload));
    if (!isLatest) {
      return null;
    }
    store.delete(former);
    return new Stored(upload, after + 1);
  }

  /// Claims an upload that is whole, so that no other request stores or deletes it meanwhile.
  ///
  /// @return null if another state follows the given one, or the upload was deleted
  public @Nullable UploadClaim claim(Stored whole) throws IOException {
    return UploadClaim.begin(this, whole, UploadClaim.LENGTH);
  }

  /// Returns whether a state was neither replaced nor deleted.
  boolean exists(Stored stored) throws IOException {
    return store.exists(states.key(stored.upload().id(), stored.revision()));
  }

  /// Keeps the last state of an upload, with its outcome, and deletes what came before. Several
  /// services may do so at a time. Deletions that fail are repeated by [#sweep].
  ///
  /// @throws IOException if the outcome was not kept
  public void end(ResumableUpload upload) throws IOException {
    store.putReserved(OUTCOMES + upload.id(), json(upload));
    try {
      deleteRemains(upload.id());
    } catch (IOException e) {
      FailureLog.log(LOG, Level.WARNING, "Parts of an upload that is stored were not deleted", e);
    }
  }

  /// Deletes all but the outcome. Without its states, no service opens the parts anymore.
  void deleteRemains(String id) throws IOException {
    deleteAll(states.start(id));
    deleteAll(PARTS + id + "/");
  }

  /// Deletes parts that no state names.
  public void delete(List<ResumableUpload.Part> parts) throws IOException {
    for (ResumableUpload.Part part : parts) {
      store.delete(part.key());
    }
  }

  /// Counts the uploads that are not stored yet, up to a maximum.
  public int openCount(int maximum) throws IOException {
    return openCount("", maximum);
  }

  /// Counts the uploads of an owner that are not stored yet, up to a maximum.
  public int openCountOf(Owner owner, int maximum) throws IOException {
    return openCount(owner.prefix(), maximum);
  }

  /// Returns whether a principal has at least `count` uploads that are not stored yet.
  public boolean hasManyOf(String principal, long count) throws IOException {
    return openCount(digest(principal, PRINCIPAL_LENGTH), Math.toIntExact(count)) >= count;
  }

  private int openCount(String prefix, int maximum) throws IOException {
    return store.list(STATES + prefix, null, maximum).size();
  }

  /// Deletes an upload without any byte, to make room for another one. The owner with the most
  /// uploads is the first to lose one. Of many uploads, only a sample is read.
  ///
  /// @param owner the one whose uploads may be deleted, or null for all
  /// @param before the time since which an upload that remains has changed
  /// @param deletable whether an upload with an id may be deleted
  /// @return false if none was found
  public boolean deleteEmpty(@Nullable Owner owner, Instant before, Predicate<String> deletable)
      throws IOException {
    Stored oldest = null;
    for (String id : sample(owner == null ? "" : owner.prefix(), deletable)) {
      Stored found = find(id);
      if (found != null
          && !found.isEnded()
          && found.upload().parts().isEmpty()
          && found.upload().activeAt().isBefore(before)
          && (oldest == null || found.upload().activeAt().isBefore(oldest.upload().activeAt()))) {
        oldest = found;
      }
    }
    return oldest != null && delete(oldest);
  }

  /// Returns ids of uploads in random order, those of the owner with the most of them first.
  private List<String> sample(String prefix, Predicate<String> deletable) throws IOException {
    Map<String, Set<String>> byOwner = new HashMap<>();
    String last = null;
    List<String> page;
    do {
      page = store.list(STATES + prefix, last, PAGE_SIZE);
      for (String key : page) {
        String id = id(key, STATES);
        byOwner.computeIfAbsent(id.substring(0, OWNER_LENGTH), _ -> new HashSet<>()).add(id);
        last = key;
      }
    } while (page.size() == PAGE_SIZE);
    List<String> ids = new ArrayList<>();
    byOwner.values().stream()
        .sorted(Comparator.comparingInt((Set<String> all) -> -all.size()))
        .forEach(all -> {
          List<String> shuffled = new ArrayList<>(all);
          Collections.shuffle(shuffled, random);
          shuffled.stream().filter(deletable).limit(OWNER_SAMPLE_COUNT).forEach(ids::add);
        });
    return ids.subList(0, Math.min(ids.size(), SAMPLE_COUNT));
  }

  /// Returns the bytes of the parts of a principal.
  public long partsByteSizeOf(String principal) throws IOException {
    return partsByteSize(digest(principal, PRINCIPAL_LENGTH));
  }

  private long partsByteSize(String prefix) throws IOException {
    long byteSize = 0;
    String last = null;
    SequencedMap<String, Long> page;
    do {
      page = store.byteSizes(PARTS + prefix, last, PAGE_SIZE);
      byteSize += page.values().stream().mapToLong(Long::longValue).sum();
      last = page.isEmpty() ? null : page.lastEntry().getKey();
    } while (page.size() == PAGE_SIZE);
    return byteSize;
  }

  /// The uploads that are not stored yet.
  ///
  /// @param byteSize the bytes of their parts
  public record Open(int count, long byteSize) {}

  /// Counts the uploads that are not stored yet.
  public Open open() throws IOException {
    int count = 0;
    String last = null;
    List<String> page;
    do {
      page = store.list(STATES, last, PAGE_SIZE);
      for (String key : page) {
        if (last == null || !id(key, STATES).equals(id(last, STATES))) {
          count++;
        }
        last = key;
      }
    } while (page.size() == PAGE_SIZE);
    return new Open(count, partsByteSize(""));
  }

  /// @param claim of the reader that stores the upload, or null
  PartsSource open(ResumableUpload upload, @Nullable UploadClaim claim) {
    return new PartsSource(store, upload.parts(), claim);
  }

  /// Deletes an upload with its parts. Meanwhile it is claimed, so no service stores it.
  ///
  /// @return false if a later state follows the given one, which remains
  public boolean delete(Stored stored) throws IOException {
    String id = stored.upload().id();
    if (stored.isEnded()) {
      deleteRemains(id);
      store.delete(OUTCOMES + id);
      return true;
    }
    // The last state reserves its key until the former one is gone.
    ResumableUpload.Claim claim =
        new ResumableUpload.Claim(randomText(), Instant.now().plus(UploadClaim.LENGTH));
    Stored last = put(stored.upload().claimed(claim), stored.revision());
    if (last == null) {
      return false;
    }
    deleteRemains(id);
    return true;
  }

  /// Deletes abandoned uploads, and parts whose upload does not exist. If cancellation is
  /// requested, the rest is left for another time.
  ///
  /// @param before the time since which an upload that remains has changed
  /// @return the number of deleted uploads
  /// @throws IOException the first failure, after all other uploads
  public int sweep(Instant before) throws IOException {
    return new UploadSweep(this, store, before).run();
  }

  private void deleteAll(String prefix) throws IOException {
    List<String> page;
    do {
      page = store.list(prefix, null, PAGE_SIZE);
      for (String key : page.reversed()) {
        store.delete(key);
      }
    } while (page.size() == PAGE_SIZE);
  }

  /// Returns whether an upload is not stored yet.
  boolean isOpen(String id) throws IOException {
    return states.newestKey(id) != null;
  }

  private Stored read(String key) throws IOException {
    try (Blob blob = store.open(key)) {
      return new Stored(upload(blob, key), RevisionLog.revision(key));
    }
  }

  private static ResumableUpload upload(Blob blob, String key) throws IOException {
    byte[] json = new byte[Math.toIntExact(blob.byteSize())];
    blob.readFully(0, MemorySegment.ofArray(json));
    return UploadJson.read(json, key);
  }

  static String id(String key, String prefix) {
    int end = Math.min(prefix.length() + ID_LENGTH, key.length());
    return key.substring(prefix.length(), end);
  }

  private static MemorySegment json(ResumableUpload upload) {
    return MemorySegment.ofArray(UploadJson.write(upload));
  }

  private static String digest(String text, int length) {
    return Sha256.hex(text).substring(0, length);
  }

  String randomText() {
    byte[] bytes = new byte[RANDOM_BYTE_SIZE];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
