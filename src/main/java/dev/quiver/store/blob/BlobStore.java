package dev.quiver.store.blob;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// A store of immutable byte sequences under keys: put once, read by range, listed in order,
/// deleted.
///
/// A key is a relative path of at most 1,024 characters. Its segments are joined by `/` and consist
/// of `a-z 0-9 ! . _ -`. A segment is not empty, neither starts nor ends with a dot, and has at
/// most 255 characters. Lower case prevents collisions on file systems that ignore case. Any other
/// key causes an [IllegalArgumentException].
///
/// After an [IOException] from a put, the blob may or may not exist. Repeating the put settles it.
public interface BlobStore {

  /// Starts a blob that becomes visible under `key` on commit.
  BlobUpload begin(String key) throws IOException;

  /// Starts temporary bytes that never become a blob.
  BlobSpool spool() throws IOException;

  /// Puts a whole blob, atomically and durably.
  ///
  /// @return false if the key exists; the existing blob is durable then
  /// @throws StorageFullException if no space is left
  default boolean putIfAbsent(String key, MemorySegment content) throws IOException {
    try (BlobUpload upload = begin(key)) {
      upload.write(content);
      return upload.commit();
    }
  }

  /// Puts a small blob like [#putIfAbsent], even if no space is left for others: the blob is what
  /// frees space.
  default boolean putReserved(String key, MemorySegment content) throws IOException {
    return putIfAbsent(key, content);
  }

  /// Returns whether there is space for even a small upload.
  default boolean hasSpace() throws IOException {
    return true;
  }

  /// Returns whether the store responds, and its folder can be read and written.
  default boolean isReachable() {
    return true;
  }

  /// Returns the bytes of blobs that are cached on the local disk.
  default long cachedByteSize() {
    return 0;
  }

  /// Makes a local file a blob by a hard link, without copying, durably. Afterwards the file may be
  /// replaced or deleted but not modified, since the blob shares its bytes.
  ///
  /// @param key an unused key
  /// @return false if the store or the file does not support links, so the caller must copy
  default boolean link(String key, Path file) throws IOException {
    return false;
  }

  /// Opens a blob for reading. Deleting it does not disturb open readers. In a remote store that
  /// holds only for cached bytes; reading others fails with a [NoSuchBlobException].
  ///
  /// @throws NoSuchBlobException if the blob does not exist
  Blob open(String key) throws IOException;

  /// Opens a blob as [#open] does, to read the store's own bytes even if they are kept locally.
  default Blob openInStore(String key) throws IOException {
    return open(key);
  }

  /// Returns whether a blob exists, always asking the store itself.
  boolean exists(String key) throws IOException;

  /// Returns a value that distinguishes the blob from any earlier or later one under its key. Null
  /// if the blob does not exist, or if only a remote request could find out.
  default @Nullable Object identity(String key) throws IOException {
    return null;
  }

  /// Returns whether every call is a remote request, so that few calls matter more than cheap ones.
  boolean isRemote();

  /// Returns the keys after `after` that start with `prefix`, in byte order.
  ///
  /// @param after any text that may start a key; null starts with the first key
  /// @param limit the maximum number of keys
  List<String> list(String prefix, @Nullable String after, int limit) throws IOException;

  /// Returns the folders of the keys that start with `prefix`: for each, its start up to the first
  /// `/` after the prefix, once and in byte order. Every such key must have one. A folder may have
  /// lost all of its keys.
  ///
  /// A local store does not look into the folders, and a remote one takes a request for each.
  ///
  /// @param after any text that may start a key, which the folders sort after; null starts with the
  ///   first
  /// @param limit the maximum number of folders
  default List<String> listFolders(String prefix, @Nullable String after, int limit)
      throws IOException {
    List<String> folders = new ArrayList<>();
    String last = after;
    while (folders.size() < limit) {
      List<String> keys = list(prefix, last, 1);
      if (keys.isEmpty()) {
        break;
      }
      String key = keys.getFirst();
      String folder = key.substring(0, key.indexOf('/', prefix.length()) + 1);
      // "0" is the character after "/".
      last = folder.substring(0, folder.length() - 1) + "0";
      if (after == null || folder.compareTo(after) > 0) {
        folders.add(folder);
      }
    }
    return folders;
  }

  /// Returns the size of a blob in bytes, or 0 if absent.
  default long byteSize(String key) throws IOException {
    try (Blob blob = open(key)) {
      return blob.byteSize();
    } catch (NoSuchBlobException e) {
      return 0;
    }
  }

  /// Returns the same as [#list], with the [#byteSize] of each key.
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
  /// @return false if the blob did not exist
  boolean delete(String key) throws IOException;

  /// Returns a local folder for temporary files, on the disk where uploads are staged.
  Path scratchFolder();

  /// Returns the file of the blob, or null if the store has no files.
  @Nullable Path localPath(String key);
}
