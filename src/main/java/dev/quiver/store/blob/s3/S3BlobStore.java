package dev.quiver.store.blob.s3;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobKeys;
import dev.quiver.store.blob.BlobSpool;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.blob.S3Options;
import dev.quiver.store.blob.StoreRequests;
import dev.quiver.store.blob.folder.FolderBlobStore;
import dev.quiver.store.blob.folder.FolderSpool;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SequencedMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A store of blobs as objects of one bucket. The name of an object is the prefix and the key.
///
/// Several processes may share the bucket. A process asks the store for the identity of a blob
/// once. After that, it requests only bytes missing from the local disk.
public final class S3BlobStore implements BlobStore, AutoCloseable {

  private static final Logger LOG = System.getLogger(S3BlobStore.class.getName());

  /// The number of bytes read with a blob's identity: all of a small blob.
  private static final int START_BYTE_SIZE = 64 << 10;

  private final Bucket bucket;
  private final CacheFolder folder;
  private final FolderBlobStore local;
  private final BlobCache cache;
  private final ChunkFetcher fetcher;
  private final BlobIdentityCache identities;

  private S3BlobStore(
      Bucket bucket,
      BlobIdentityCache identities,
      CacheFolder folder,
      BlobCache cache,
      ChunkFetcher fetcher) {
    this.bucket = bucket;
    this.identities = identities;
    this.folder = folder;
    this.local = folder.scratch();
    this.cache = cache;
    this.fetcher = fetcher;
  }

  /// Opens the store, and takes over the cache of an earlier process.
  ///
  /// @throws IOException also if the bucket cannot be listed
  public static S3BlobStore open(S3Options options) throws IOException {
    return open(options, StoreRequests.NONE);
  }

  /// Opens the store like [#open(S3Options)].
  ///
  /// @param requests notified of each request
  public static S3BlobStore open(S3Options options, StoreRequests requests) throws IOException {
    BlobIdentityCache identities = new BlobIdentityCache();
    Bucket bucket = new Bucket(options, identities, requests);
    bucket.list("", null, 1);
    CacheFolder folder = CacheFolder.claim(options);
    BlobCache cache = BlobCache.open(bucket, folder, options.cacheByteSize());
    return new S3BlobStore(bucket, identities, folder, cache, new ChunkFetcher(cache, requests));
  }

  @Override
  public BlobUpload begin(String key) throws IOException {
    BlobKeys.check(key);
    return new S3Upload(bucket, key, local.spool(), this::keep);
  }

  @Override
  public BlobSpool spool() throws IOException {
    return local.spool();
  }

  /// Uploads are spooled on the local disk.
  @Override
  public boolean hasSpace() throws IOException {
    return local.hasSpace();
  }

  @Override
  public boolean isReachable() {
    return bucket.isReachable();
  }

  @Override
  public long cachedByteSize() {
    return cache.byteSize();
  }

  @Override
  public boolean putIfAbsent(String key, MemorySegment content) throws IOException {
    BlobKeys.check(key);
    BlobIdentity written = bucket.putIfAbsent(key, UUID.randomUUID().toString(), content);
    if (written != null) {
      keep(key, written, content);
    }
    return written != null;
  }

  @Override
  public Blob open(String key) throws IOException {
    BlobKeys.check(key);
    BlobIdentity identity = identities.get(key);
    if (identity == null) {
      RangeRequests.Start start = bucket.ranges().start(key, START_BYTE_SIZE);
      identity = start.identity();
      identities.put(key, identity);
      if (start.bytes().byteSize() == identity.byteSize()) {
        keep(key, identity, start.bytes());
      }
    }
    RemoteBlob remote = new RemoteBlob(bucket, key, identity, local);
    return identity.byteSize() > cache.maximumByteSize()
        ? remote
        : new CachedBlob(key, identity, cache, fetcher, remote);
  }

  @Override
  public Blob openInStore(String key) throws IOException {
    BlobKeys.check(key);
    Bucket.Writing existing = bucket.writing(key);
    if (existing == null) {
      throw new NoSuchBlobException(key);
    }
    return new RemoteBlob(bucket, key, existing.identity(), local);
  }

  private void keep(String key, BlobIdentity identity, MemorySegment content) {
    identities.put(key, identity);
    if (cache.isWanted(identity)) {
      try (FolderSpool spool = local.spool()) {
        spool.write(content);
        cache.add(key, identity, spool);
      } catch (IOException e) {
        LOG.log(Level.WARNING, "Blob not cached on the local disk: " + key, e);
      }
    }
  }

  private void keep(String key, BlobIdentity identity, FolderSpool spool) {
    identities.put(key, identity);
    if (cache.isWanted(identity)) {
      cache.add(key, identity, spool);
    }
  }

  @Override
  public boolean exists(String key) throws IOException {
    BlobKeys.check(key);
    return bucket.writing(key) != null;
  }

  @Override
  public long byteSize(String key) throws IOException {
    BlobKeys.check(key);
    Bucket.Writing existing = bucket.writing(key);
    return existing == null ? 0 : existing.identity().byteSize();
  }

  @Override
  public boolean isRemote() {
    return true;
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int limit) throws IOException {
    return List.copyOf(byteSizes(prefix, after, limit).keySet());
  }

  @Override
  public SequencedMap<String, Long> byteSizes(String prefix, @Nullable String after, int limit)
      throws IOException {
    BlobKeys.checkPart(prefix);
    if (after != null) {
      BlobKeys.checkPart(after);
    }
    return BlobKeys.mayStartKey(prefix)
        ? bucket.list(prefix, after, limit)
        : Collections.emptyNavigableMap();
  }

  @Override
  public boolean delete(String key) throws IOException {
    BlobKeys.check(key);
    boolean deleted = bucket.delete(key);
    identities.forget(key);
    return deleted;
  }

  @Override
  public Path scratchFolder() {
    return local.scratchFolder();
  }

  @Override
  public @Nullable Path localPath(String key) {
    BlobKeys.check(key);
    BlobIdentity identity = identities.get(key);
    return identity == null ? null : cache.path(key, identity);
  }

  /// Closes the store, leaving the cache to the next process.
  @Override
  public void close() throws IOException {
    bucket.close();
    folder.lock().close();
  }
}
