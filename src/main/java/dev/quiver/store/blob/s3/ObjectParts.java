package dev.quiver.store.blob.s3;

import dev.quiver.store.blob.Steps;
import dev.quiver.store.blob.folder.FolderSpool;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/// The parts of one object. Some may be in transit while later ones are still being written.
///
/// Not thread-safe.
final class ObjectParts {

  private static final Logger LOG = System.getLogger(ObjectParts.class.getName());
  private static final long BYTE_SIZE = 8 << 20;
  private static final int MAXIMUM_IN_TRANSIT = 4;

  /// The number of the last small part. An object has at most 10,000 parts, and some stores require
  /// equal sizes, so only parts past 64 GiB are larger.
  private static final int LAST_SMALL_NUMBER = 8_192;

  private static final long LARGE_BYTE_SIZE = 512 << 20;

  private final PartRequests requests;
  private final String key;
  private final String upload;
  private final Semaphore free = new Semaphore(MAXIMUM_IN_TRANSIT);
  private final List<CompletableFuture<CompletedPart>> sent = new ArrayList<>();
  private volatile boolean failed;
  private long byteSize;

  private ObjectParts(PartRequests requests, String key, String upload) {
    this.requests = requests;
    this.key = key;
    this.upload = upload;
  }

  static ObjectParts begin(Bucket bucket, String key, String writer) throws IOException {
    PartRequests requests = bucket.parts();
    return new ObjectParts(requests, key, requests.begin(key, writer));
  }

  static long byteSizeOf(int number) {
    return number <= LAST_SMALL_NUMBER ? BYTE_SIZE : LARGE_BYTE_SIZE;
  }

  int nextNumber() {
    return sent.size() + 1;
  }

  /// Returns the bytes sent or in transit.
  long byteSize() {
    return byteSize;
  }

  /// Sends the next part, once few enough are in transit.
  void send(FolderSpool spool, long partByteSize) throws IOException {
    if (failed) {
      await();
    }
    int number = nextNumber();
    // The sending thread reads from the arena and closes it.
    Arena arena = Arena.ofShared();
    MemorySegment content = spool.map(byteSize, partByteSize, arena);
    free.acquireUninterruptibly();
    CompletableFuture<CompletedPart> part = new CompletableFuture<>();
    sent.add(part);
    byteSize += partByteSize;
    Thread.startVirtualThread(Steps.carried(() -> send(number, content, arena, part)));
  }

  private void send(
      int number, MemorySegment content, Arena arena, CompletableFuture<CompletedPart> part) {
    try (arena) {
      part.complete(requests.send(key, upload, number, content));
    } catch (IOException | RuntimeException | Error e) {
      failed = true;
      part.completeExceptionally(e);
    } finally {
      free.release();
    }
  }

  /// Sends the rest, and waits until everything has arrived.
  void sendRest(FolderSpool spool) throws IOException {
    if (spool.position() > byteSize) {
      send(spool, spool.position() - byteSize);
    }
    await();
  }

  /// Combines the parts.
  ///
  /// @return null if the key exists
  @Nullable BlobIdentity end(long wholeByteSize) throws IOException {
    String entityTag = requests.end(key, upload, await());
    return entityTag == null ? null : new BlobIdentity(entityTag, wholeByteSize);
  }

  /// Makes the store discard the parts.
  void abort() {
    // A part that arrives later would remain.
    sent.forEach(part -> part.handle((done, failure) -> true).join());
    try {
      requests.abort(key, upload);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "Parts of an upload remain in the store: " + key, e);
    }
  }

  private List<CompletedPart> await() throws IOException {
    try {
      return sent.stream().map(CompletableFuture::join).toList();
    } catch (CompletionException e) {
      switch (e.getCause()) {
        case IOException failure -> throw failure;
        case null, default -> throw e;
      }
    }
  }
}
