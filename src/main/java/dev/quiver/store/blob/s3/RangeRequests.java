package dev.quiver.store.blob.s3;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.blob.StoreUnavailableException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.Abortable;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/// The requests for the bytes of blobs. Each is sent again, for what is missing, if its response
/// was cut.
final class RangeRequests {

  private static final int PARTIAL_CONTENT = 206;
  private static final int BUFFER_BYTE_SIZE = 128 << 10;

  private final Bucket bucket;
  private final BlobIdentityCache identities;
  private final S3Clients clients;
  private final String name;
  private final String prefix;

  /// @param identities the identities, from which replaced blobs are dropped
  /// @param name the bucket
  /// @param prefix the start of all object names
  RangeRequests(
      Bucket bucket, BlobIdentityCache identities, S3Clients clients, String name, String prefix) {
    this.bucket = bucket;
    this.identities = identities;
    this.clients = clients;
    this.name = name;
    this.prefix = prefix;
  }

  /// Returns the identity of a blob, its writer, and its start.
  Start start(String key, int byteSize) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return startOnce(key, byteSize);
      } catch (NoSuchBlobException | StoreUnavailableException e) {
        throw e;
      } catch (IOException e) {
        if (attempt == Bucket.ATTEMPTS) {
          throw new StoreUnavailableException(String.valueOf(e.getMessage()), e);
        }
      }
    }
  }

  private Start startOnce(String key, int byteSize) throws IOException {
    try (ResponseInputStream<GetObjectResponse> response = get(key, null, 0, byteSize)) {
      GetObjectResponse head = response.response();
      long whole = ContentRange.of(head, 0, key).blobByteSize();
      byte[] bytes = response.readNBytes(byteSize);
      if (bytes.length < Math.min(byteSize, whole)) {
        throw new IOException(
            "Expected %d bytes but found %d at key %s"
                .formatted(Math.min(byteSize, whole), bytes.length, key));
      }
      end(response);
      // Without a byte, the head may be a part of one.
      String entityTag =
          bytes.length > 0 ? Bucket.received(head.eTag(), key) : Bucket.entityTag(head.eTag(), key);
      return new Start(
          new BlobIdentity(entityTag, whole),
          head.metadata().getOrDefault(Bucket.WRITER, ""),
          MemorySegment.ofArray(bytes));
    } catch (OutOfRangeException e) {
      HeadObjectResponse head = bucket.head(key);
      if (head == null) {
        throw new NoSuchBlobException(key);
      }
      if (Bucket.present(head.contentLength(), key) > 0) {
        throw new IOException("Expected an empty blob but found another one at key " + key);
      }
      return new Start(
          new BlobIdentity(head.eTag(), 0),
          head.metadata().getOrDefault(Bucket.WRITER, ""),
          MemorySegment.NULL);
    }
  }

  /// Reads a range of a blob, with as many requests as necessary.
  ///
  /// A failure of the sink is final, since it may have consumed part of its input.
  ///
  /// @throws NoSuchBlobException also if the blob was replaced
  void read(String key, BlobIdentity identity, long byteOffset, long byteSize, ByteSink sink)
      throws IOException {
    byte[] buffer = new byte[(int) Math.min(BUFFER_BYTE_SIZE, byteSize)];
    long done = 0;
    for (int attempt = 1; done < byteSize; attempt++) {
      try (var response = open(key, identity, byteOffset + done, byteSize - done)) {
        while (done < byteSize) {
          int count = response.read(buffer, 0, (int) Math.min(buffer.length, byteSize - done));
          if (count < 0) {
            throw new IOException("The response ended early");
          }
          pass(MemorySegment.ofArray(buffer).asSlice(0, count), sink, response);
          done += count;
        }
        end(response);
      } catch (SinkException e) {
        throw e.failure;
      } catch (NoSuchBlobException | StoreUnavailableException e) {
        throw e;
      } catch (IOException e) {
        if (attempt == Bucket.ATTEMPTS) {
          throw new StoreUnavailableException(String.valueOf(e.getMessage()), e);
        }
      }
    }
  }

  private static void pass(MemorySegment bytes, ByteSink sink, Abortable response)
      throws SinkException {
    try {
      sink.write(bytes);
    } catch (IOException e) {
      // Closing the response would read the rest.
      response.abort();
      throw new SinkException(e);
    }
  }

  /// Opens a range of a blob.
  ///
  /// @throws NoSuchBlobException also if the blob was replaced
  ResponseInputStream<GetObjectResponse> open(
      String key, BlobIdentity identity, long byteOffset, long byteSize) throws IOException {
    try {
      return get(key, identity.entityTag(), byteOffset, byteSize);
    } catch (NoSuchBlobException | OutOfRangeException e) {
      identities.forget(key);
      throw new NoSuchBlobException(key);
    }
  }

  private ResponseInputStream<GetObjectResponse> get(
      String key, @Nullable String entityTag, long byteOffset, long byteSize) throws IOException {
    GetObjectRequest request =
        GetObjectRequest.builder()
            .bucket(name)
            .key(prefix + key)
            .ifMatch(entityTag)
            .range("bytes=%d-%d".formatted(byteOffset, byteOffset + byteSize - 1))
            .build();
    ResponseInputStream<GetObjectResponse> response;
    try {
      response = Bucket.send(() -> clients.retrying().getObject(request));
    } catch (SdkException e) {
      if (S3Failures.isCut(e)) {
        throw new IOException(String.valueOf(e.getMessage()), e);
      }
      throw S3Failures.isOutOfRange(e) ? new OutOfRangeException() : S3Failures.translated(e, key);
    }
    try {
      GetObjectResponse head = response.response();
      Bucket.received(head.contentLength(), key);
      if (head.sdkHttpResponse().statusCode() == PARTIAL_CONTENT) {
        Bucket.received(head.contentRange(), key);
      }
      ContentRange.of(head, byteOffset, key);
      return response;
    } catch (IOException e) {
      response.abort();
      throw e;
    }
  }

  /// Reads the end of a response, so that its connection can be reused.
  private static void end(ResponseInputStream<GetObjectResponse> response) throws IOException {
    if (response.read() >= 0) {
      response.abort();
    }
  }

  /// @param writer the id of the writer, or empty if unknown
  /// @param bytes the requested number of bytes, or the whole blob if shorter
  record Start(BlobIdentity identity, String writer, MemorySegment bytes) {}

  private static final class SinkException extends IOException {

    private static final long serialVersionUID = 1;
    private final IOException failure;

    SinkException(IOException failure) {
      super(failure);
      this.failure = failure;
    }
  }

  private static final class OutOfRangeException extends IOException {

    private static final long serialVersionUID = 1;
  }
}
