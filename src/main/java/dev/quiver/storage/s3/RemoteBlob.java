package dev.quiver.storage.s3;

import dev.quiver.storage.Blob;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.NoSuchBlobException;
import dev.quiver.storage.Spool;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// A blob of which nothing is kept. Reads that follow each other share an answer.
final class RemoteBlob implements Blob {

  private static final long WINDOW_BYTE_SIZE = 8 << 20;

  private static final int ATTEMPTS = 3;

  private final Bucket bucket;
  private final String key;
  private final Identity identity;
  private final BlobStore local;
  private @Nullable ResponseInputStream<GetObjectResponse> answer;
  private long answerPosition;
  private long answerEnd;

  /// @param local where ranges go that are mapped
  RemoteBlob(Bucket bucket, String key, Identity identity, BlobStore local) {
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
        done += readAnswer(answerAt(position, byteSize - done), destination.asSlice(done));
        attempt = 0;
      } catch (NoSuchBlobException e) {
        throw e;
      } catch (IOException e) {
        // An answer that nobody has read from for long is ended by either side.
        abort();
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
    return done;
  }

  private InputStream answerAt(long position, long byteSize) throws IOException {
    ResponseInputStream<GetObjectResponse> open = answer;
    if (open == null || answerPosition != position || answerPosition == answerEnd) {
      endAnswer();
      long left = identity.byteSize() - position;
      long window = Math.min(left, Math.max(WINDOW_BYTE_SIZE, byteSize));
      open = bucket.open(key, identity, position, window);
      answer = open;
      answerPosition = position;
      answerEnd = position + window;
    }
    return open;
  }

  private long readAnswer(InputStream source, MemorySegment destination) throws IOException {
    byte[] buffer = new byte[(int) Math.min(WINDOW_BYTE_SIZE / 64, destination.byteSize())];
    long wanted = Math.min(destination.byteSize(), answerEnd - answerPosition);
    long done = 0;
    while (done < wanted) {
      int count = source.read(buffer, 0, (int) Math.min(buffer.length, wanted - done));
      if (count < 0) {
        throw new IOException("The answer ended before its end at key " + key);
      }
      MemorySegment.copy(MemorySegment.ofArray(buffer), 0, destination, done, count);
      done += count;
      answerPosition += count;
    }
    return done;
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
    Objects.checkFromIndexSize(byteOffset, byteSize, identity.byteSize());
    try (Spool spool = local.spool()) {
      bucket.read(key, identity, byteOffset, byteSize, spool);
      return spool.map(0, byteSize, arena);
    }
  }

  @Override
  public @Nullable Path localPath() {
    return null;
  }

  @Override
  public synchronized void close() throws IOException {
    endAnswer();
  }

  /// Only of an answer that was read to its end is the connection used again.
  private void endAnswer() throws IOException {
    ResponseInputStream<GetObjectResponse> open = answer;
    if (open != null) {
      answer = null;
      if (answerPosition < answerEnd) {
        open.abort();
      }
      open.close();
    }
  }

  private void abort() {
    ResponseInputStream<GetObjectResponse> open = answer;
    if (open != null) {
      answer = null;
      open.abort();
    }
  }
}
