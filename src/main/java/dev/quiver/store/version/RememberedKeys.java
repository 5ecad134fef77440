package dev.quiver.store.version;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The writes with idempotency keys that a version remembers. The most recent ones are in its
/// manifest, and earlier ones in blobs that successive versions share.
///
/// When the manifest has too many, they move to a new blob, together with the keys of the blobs
/// before it that are not larger. Therefore each key is written only a few times, and a version
/// names only a few blobs.
///
/// ```
/// Keys        --> Key*
/// Key         --> Version CommittedAt Text, the hash of an idempotency key
/// Version     --> int64
/// CommittedAt --> int64, milliseconds since 1970
/// ```
///
/// @param blobs the blobs of earlier keys, oldest first
/// @param recent the keys in the manifest, oldest first
public record RememberedKeys(List<Section> blobs, List<Key> recent) {

  public static final RememberedKeys NONE = new RememberedKeys(List.of(), List.of());

  /// The number of latest writes that are always remembered, unless they are too old.
  public static final int COUNT_MAXIMUM = 1000;

  /// The time for which writes are remembered.
  private static final Duration AGE_MAXIMUM = Duration.ofHours(24);

  /// The number of keys in a manifest before they move to a blob.
  static final int RECENT_MAXIMUM = 16;

  /// The size of a key with the hash of an [dev.quiver.store.version.IdempotencyKey].
  private static final long KEY_BYTE_SIZE = 2 * Long.BYTES + Integer.BYTES + 26;

  public RememberedKeys {
    blobs = List.copyOf(blobs);
    recent = List.copyOf(recent);
  }

  /// A write with an idempotency key.
  ///
  /// @param hash the hash of the key
  /// @param version the version that the write committed
  /// @param committedAt when that version was committed
  public record Key(String hash, long version, Instant committedAt) {}

  /// Returns the last key with a hash, or null if absent.
  ///
  /// @param committedAt when the version was committed; it remembers no key that was too old then
  /// @param searched the keys of blobs that are known not to have the hash. This call adds its own
  public @Nullable Key find(String hash, Instant committedAt, BlobStore store, Set<String> searched)
      throws IOException {
    Key found = find(hash, recent);
    for (int i = blobs.size() - 1; i >= 0 && found == null; i--) {
      // A blob never changes.
      if (!searched.contains(blobs.get(i).blob())) {
        found = find(hash, carried(read(store, blobs.get(i)), committedAt));
        if (found == null) {
          searched.add(blobs.get(i).blob());
        }
      }
    }
    return found;
  }

  private static @Nullable Key find(String hash, List<Key> keys) {
    return keys.stream().filter(key -> key.hash().equals(hash)).findFirst().orElse(null);
  }

  /// Returns the keys that the next version still remembers.
  public RememberedKeys carried(Instant now) {
    Instant oldest = now.minus(AGE_MAXIMUM);
    List<Section> carried = new ArrayList<>();
    long byteSize = 0;
    // A blob has no key younger than itself.
    for (Section blob : blobs.reversed()) {
      if (byteSize >= COUNT_MAXIMUM * KEY_BYTE_SIZE
          || !StoreKeys.time(blob.blob()).isAfter(oldest)) {
        break;
      }
      carried.addFirst(blob);
      byteSize += blob.byteSize();
    }
    return new RememberedKeys(carried, carried(recent, now));
  }

  /// Returns the `keys` that the next version still remembers, oldest first.
  private static List<Key> carried(List<Key> keys, Instant now) {
    Instant oldest = now.minus(AGE_MAXIMUM);
    List<Key> carried = new ArrayList<>();
    for (Key key : keys.subList(Math.max(0, keys.size() - COUNT_MAXIMUM), keys.size())) {
      if (key.committedAt.isAfter(oldest)) {
        carried.add(key);
      }
    }
    return carried;
  }

  public RememberedKeys with(Key key) {
    List<Key> added = new ArrayList<>(recent);
    added.add(key);
    return new RememberedKeys(blobs, added);
  }

  /// Returns whether the manifest has too many keys.
  public boolean isFull() {
    return recent.size() > RECENT_MAXIMUM;
  }

  /// Returns the same keys without recent ones, after putting those into a new blob.
  ///
  /// @param put receives the bytes of the blob
  public RememberedKeys spilled(BlobStore store, Instant now, String blobKey, Put put)
      throws IOException {
    List<Section> remaining = new ArrayList<>(blobs);
    List<Key> merged = new ArrayList<>(recent);
    while (!remaining.isEmpty() && remaining.getLast().byteSize() <= byteSize(merged)) {
      merged.addAll(0, read(store, remaining.removeLast()));
    }
    MemorySegment bytes = write(carried(merged, now));
    put.put(blobKey, bytes);
    remaining.add(new Section(Section.KEYS, true, blobKey, 0, bytes.byteSize(), Crc32c.of(bytes)));
    return new RememberedKeys(remaining, List.of());
  }

  static MemorySegment write(List<Key> keys) {
    Cursor cursor = new Cursor(MemorySegment.ofArray(new byte[Math.toIntExact(byteSize(keys))]));
    for (Key key : keys) {
      cursor.putInt64(key.version());
      cursor.putInt64(key.committedAt().toEpochMilli());
      cursor.putText(key.hash());
    }
    return cursor.segment();
  }

  static List<Key> read(MemorySegment bytes) {
    Cursor cursor = new Cursor(bytes);
    List<Key> keys = new ArrayList<>();
    while (cursor.remaining() > 0) {
      long version = cursor.int64();
      Instant committedAt = Instant.ofEpochMilli(cursor.int64());
      keys.add(new Key(cursor.text(), version, committedAt));
    }
    return keys;
  }

  private static long byteSize(List<Key> keys) {
    long byteSize = 0;
    for (Key key : keys) {
      byteSize += 2 * Long.BYTES + Cursor.byteSize(key.hash());
    }
    return byteSize;
  }

  private static List<Key> read(BlobStore store, Section section) throws IOException {
    MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(section.byteSize())]);
    try (Blob blob = store.open(section.blob())) {
      blob.readFully(section.byteOffset(), bytes);
      if (Crc32c.of(bytes) != section.checksum() && blob.refetch()) {
        blob.readFully(section.byteOffset(), bytes);
      }
    }
    if (Crc32c.of(bytes) != section.checksum()) {
      throw Damage.PROCESS.found(
          StoreKeys.reference(section.blob()), section.blob(), section.byteOffset());
    }
    return read(bytes);
  }

  /// A receiver of a blob.
  public interface Put {

    void put(String blobKey, MemorySegment bytes) throws IOException;
  }
}
