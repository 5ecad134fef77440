package dev.quiver.storage;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Immutable byte sequences under keys: put once, read by range, listed in order, deleted.
///
/// A key is a relative path: segments of `a-z 0-9 ! . _ -` joined by `/`, of which none is empty,
/// starts or ends with a dot, or is longer than 255 characters, and which is at most 1,024
/// characters long. Lower case alone, so that no two keys collide on a file system that ignores
/// case. Any other key is an [IllegalArgumentException].
///
/// An [IOException] of a put leaves open whether the blob is there; the same put again settles it.
public interface BlobStore {

  /// Starts a blob that becomes visible under `key` when it is committed.
  BlobUpload begin(String key) throws IOException;

  /// Starts bytes that no blob is made of.
  Spool spool() throws IOException;

  /// Puts a whole blob, atomically and durably.
  ///
  /// @return false when the key exists, and then the blob that is there is durable
  /// @throws StorageFullException when no space is left
  boolean putIfAbsent(String key, MemorySegment content) throws IOException;

  /// Makes a local file a blob without copying it, by a hard link; durably. From then on the file
  /// may be replaced or deleted, but must not be changed in place: its bytes are those of the blob.
  ///
  /// @param key that no blob has
  /// @return false when it has to be copied: here, or with this file, links are not possible
  default boolean link(String key, Path file) throws IOException {
    return false;
  }

  /// Opens a blob for reading; deleting it meanwhile does not disturb the reader. Of a remote store
  /// that holds for what is on the local disk already; the rest ends in a [NoSuchBlobException].
  ///
  /// @throws NoSuchBlobException when there is none
  Blob open(String key) throws IOException;

  /// Whether there is a blob, as the store itself says, whatever is remembered of it.
  boolean exists(String key) throws IOException;

  /// What the blob of a key has and no other that the key has before or after it; null without a
  /// blob, and of a store that would have to be asked for it by a request.
  default @Nullable Object identity(String key) throws IOException {
    return null;
  }

  /// Whether every call is a request to another machine: then few are fast, rather than cheap ones.
  boolean isRemote();

  /// The keys that start with `prefix` and come after `after`, in the order of their bytes.
  ///
  /// @param after need not be a key itself; null starts with the first one
  /// @param limit how many keys to return at most
  List<String> list(String prefix, @Nullable String after, int limit) throws IOException;

  /// How many bytes a blob has; 0 when there is none.
  default long byteSize(String key) throws IOException {
    try (Blob blob = open(key)) {
      return blob.byteSize();
    } catch (NoSuchBlobException e) {
      return 0;
    }
  }

  /// As [#list], with the [#byteSize] of each.
  default SequencedMap<String, Long> byteSizes(String prefix, @Nullable String after, int limit)
      throws IOException {
    SequencedMap<String, Long> byteSizes = new LinkedHashMap<>();
    for (String key : list(prefix, after, limit)) {
      byteSizes.put(key, byteSize(key));
    }
    return byteSizes;
  }

  /// Deletes a blob.
  ///
  /// @return false when there is none
  boolean delete(String key) throws IOException;

  /// A local folder for files that do not outlive a call, on the disk that uploads are staged on.
  Path scratchFolder();

  /// The file that holds the blob, when the store has files.
  @Nullable Path localPath(String key);
}
