package dev.quiver.store.blob.s3;

import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobSpool;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.blob.StoreUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// An uncached blob. Sequential reads share a response.
final class RemoteBlob implements Blob {

  private static final long WINDOW_BYTE_SIZE = 8 << 20;

  private static final int ATTEMPTS = 3;

  private final Bucket bucket;
  private final String key;
  private final BlobIdentity identity;
  private final BlobStore local;
  private @Nullable ResponseInputStream<GetObjectResponse> response;
  private long responsePosition;
  private long responseEnd;

  /// @param local the store for the bytes of mapped ranges
  RemoteBlob(Bucket bucket, String key, BlobIdentity identity, BlobStore local) {
    this.bucket = bucket;
    this.key = key;
    this.identity = identity;
    this.local = local;
  }

  @Override
  public long byteSize() {
    return identity.byteSize();
  }

  @Override
  public synchronized long read(long byteOffset, MemorySegment destination) throws IOException {
    long byteSize = Math.min(destination.byteSize(), identity.byteSize() - byteOffset);
    long done = 0;
    for (int attempt = 1; done < byteSize; attempt++) {
      long position = byteOffset + done;
      try {
        done += readResponse(responseAt(position, byteSize - done), destination.asSlice(done));
        attempt = 0;
      } catch (NoSuchBlobException e) {
        throw e;
      } catch (IOException e) {
        // The client or the store closes a response that is not read for a long time.
        abort();
        if (attempt == ATTEMPTS) {
          throw e instanceof StoreUnavailableException
              ? e
              : new StoreUnavailableException(String.valueOf(e.getMessage()), e);
        }
      }
    }
    return done;
  }

  private InputStream responseAt(long position, long byteSize) throws IOException {
    ResponseInputStream<GetObjectResponse> open = response;
    if (open == null || responsePosition != position || responsePosition == responseEnd) {
      endResponse();
      long left = identity.byteSize() - position;
      long window = Math.min(left, Math.max(WINDOW_BYTE_SIZE, byteSize));
      open = bucket.ranges().open(key, identity, position, window);
      response = open;
      responsePosition = position;
      responseEnd = position + window;
    }
    return open;
  }

  private long readResponse(InputStream source, MemorySegment destination) throws IOException {
    byte[] buffer = new byte[(int) Math.min(WINDOW_BYTE_SIZE / 64, destination.byteSize())];
    long wanted = Math.min(destination.byteSize(), responseEnd - responsePosition);
    long done = 0;
    while (done < wanted) {
      int count = source.read(buffer, 0, (int) Math.min(buffer.length, wanted - done));
      if (count < 0) {
        throw new IOException("The response ended early at key " + key);
      }
      MemorySegment.copy(MemorySegment.ofArray(buffer), 0, destination, done, count);
      done += count;
      responsePosition += count;
    }
    return done;
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
    Objects.checkFromIndexSize(byteOffset, byteSize, identity.byteSize());
    try (BlobSpool spool = local.spool()) {
      bucket.ranges().read(key, identity, byteOffset, byteSize, spool);
      return spool.map(0, byteSize, arena);
    }
  }

  @Override
  public @Nullable Path localPath() {
    return null;
  }

  @Override
  public synchronized void close() throws IOException {
    endResponse();
  }

  /// Closes the response. Its connection is reused only if it was read to its end.
  private void endResponse() throws IOException {
    ResponseInputStream<GetObjectResponse> open = response;
    if (open != null) {
      response = null;
      if (responsePosition < responseEnd) {
        open.abort();
      }
      open.close();
    }
  }

  private void abort() {
    ResponseInputStream<GetObjectResponse> open = response;
    if (open != null) {
      response = null;
      open.abort();
    }
  }
}
