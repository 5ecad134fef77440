package dev.quiver.store.blob.s3;

import dev.quiver.store.blob.BlobUpload;
import dev.quiver.store.blob.StorageFullException;
import dev.quiver.store.blob.folder.FolderSpool;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// An object that is sent while it is written, from its copy on the local disk.
///
/// A small object is put whole on commit. The parts of a larger one are sent as soon as they are
/// written, and combined at the end.
final class S3Upload implements BlobUpload {

  private static final Logger LOG = System.getLogger(S3Upload.class.getName());
  private static final int ATTEMPTS = 3;

  private final Bucket bucket;
  private final String key;
  private final FolderSpool spool;
  private final Kept kept;
  private final String writer = UUID.randomUUID().toString();
  private @Nullable ObjectParts parts;
  private boolean ended;

  /// A receiver of the local copy after the commit.
  interface Kept {

    void add(String key, BlobIdentity identity, FolderSpool spool);
  }

  S3Upload(Bucket bucket, String key, FolderSpool spool, Kept kept) {
    this.bucket = bucket;
    this.key = key;
    this.spool = spool;
    this.kept = kept;
  }

  @Override
  public long position() {
    return spool.position();
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    spool.write(source);
    while (spool.position() - sentByteSize() >= partByteSize()) {
      ObjectParts started = parts;
      if (started == null) {
        started = ObjectParts.begin(bucket, key, writer);
        parts = started;
      }
      started.send(spool, partByteSize());
    }
  }

  private long sentByteSize() {
    return parts == null ? 0 : parts.byteSize();
  }

  private long partByteSize() {
    return ObjectParts.byteSizeOf(parts == null ? 1 : parts.nextNumber());
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
    return spool.map(byteOffset, byteSize, arena);
  }

  @Override
  public boolean commit() throws IOException {
    if (ended) {
      throw new IllegalStateException("The upload has ended");
    }
    ended = true;
    ObjectParts sent = parts;
    try {
      if (sent != null) {
        sent.sendRest(spool);
      }
      BlobIdentity identity = settled(sent == null ? this::put : () -> sent.end(position()));
      if (identity == null) {
        return false;
      }
      parts = null;
      kept.add(key, identity, spool);
      return true;
    } finally {
      spool.end();
    }
  }

  private @Nullable BlobIdentity put() throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      long byteSize = spool.position();
      MemorySegment content = byteSize == 0 ? MemorySegment.NULL : spool.map(0, byteSize, arena);
      return bucket.putIfAbsent(key, writer, content);
    }
  }

  /// Returns the outcome of a write. If the response is lost, the recorded writer of the blob
  /// determines it.
  private @Nullable BlobIdentity settled(Write write) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        BlobIdentity written = write.run();
        if (written != null || attempt == 1) {
          return written;
        }
      } catch (StorageFullException e) {
        throw e;
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        LOG.log(Level.INFO, "Checking whether a write took place: " + e.getMessage());
      }
      Bucket.Writing existing = bucket.writing(key);
      if (existing != null) {
        // Every blob of ours names its writer, so a response without one was cut.
        String found = Bucket.present(existing.writer().isEmpty() ? null : existing.writer(), key);
        return found.equals(writer) ? existing.identity() : null;
      }
    }
  }

  @Override
  public void close() throws IOException {
    ObjectParts open = parts;
    parts = null;
    ended = true;
    try (spool) {
      if (open != null) {
        open.abort();
      }
    }
  }

  private interface Write {

    /// @return null if the key exists
    @Nullable BlobIdentity run() throws IOException;
  }
}
