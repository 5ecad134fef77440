package dev.quiver.storage.s3;

import dev.quiver.memory.ByteSink;
import dev.quiver.storage.Keys;
import dev.quiver.storage.NoSuchBlobException;
import dev.quiver.storage.S3Options;
import dev.quiver.storage.StoreRequests;
import dev.quiver.storage.StoreUnavailableException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.Abortable;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Object;

/// The requests for the objects of a bucket. A put never replaces an object.
///
/// Each written object records its writer, so that a write with a lost response can be recognized.
final class Bucket {

  /// The value of `If-None-Match` that requires the object to be absent.
  static final String ABSENT = "*";

  /// The metadata key of an object's writer.
  static final String WRITER = "quiver-writer";

  /// How long after a response the store counts as reachable without a probe.
  private static final Duration RECENT = Duration.ofSeconds(10);

  private static final Duration PROBE = Duration.ofSeconds(3);

  private static final int PARTIAL_CONTENT = 206;
  private static final int PAGE_SIZE = 1_000;
  private static final int BUFFER_BYTE_SIZE = 128 << 10;
  private static final int ATTEMPTS = 3;
  private static final int CONFLICT_ATTEMPTS = 10;
  private static final long CONFLICT_PAUSE_MILLIS = 20;

  private final BlobIdentityCache identities;
  private final Clients clients;
  private final String name;
  private final String prefix;
  private final PartRequests parts;
  private final Lock probing = new ReentrantLock();

  /// @param identities the identities, from which deleted and replaced blobs are dropped
  Bucket(S3Options options, BlobIdentityCache identities, StoreRequests requests) {
    this.identities = identities;
    this.clients = Clients.of(options, requests);
    this.name = options.bucket();
    this.prefix = options.prefix().isEmpty() ? "" : options.prefix() + "/";
    this.parts = new PartRequests(identities, clients, name, prefix);
  }

  /// Returns the identity of a blob, and its start.
  Start start(String key, int byteSize) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return startOnce(key, byteSize);
      } catch (NoSuchBlobException | StoreUnavailableException e) {
        throw e;
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
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
      return new Start(
          new Identity(received(head.eTag(), key), whole), MemorySegment.ofArray(bytes));
    } catch (OutOfRangeException e) {
      HeadObjectResponse head = head(key);
      if (head == null) {
        throw new NoSuchBlobException(key);
      }
      return new Start(new Identity(head.eTag(), head.contentLength()), MemorySegment.NULL);
    }
  }

  /// Reads a range of a blob, with as many requests as necessary.
  ///
  /// A failure of the sink is final, since it may have consumed part of its input.
  ///
  /// @throws NoSuchBlobException also if the blob was replaced
  void read(String key, Identity identity, long byteOffset, long byteSize, ByteSink sink)
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
        if (attempt == ATTEMPTS) {
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
      String key, Identity identity, long byteOffset, long byteSize) throws IOException {
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
      response = send(() -> clients.retrying().getObject(request));
    } catch (SdkException e) {
      throw Failures.isOutOfRange(e) ? new OutOfRangeException() : Failures.translated(e, key);
    }
    try {
      GetObjectResponse head = response.response();
      received(head.contentLength(), key);
      if (head.sdkHttpResponse().statusCode() == PARTIAL_CONTENT) {
        received(head.contentRange(), key);
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

  /// Puts a blob with one request, unless the key exists.
  ///
  /// @param writer the id of the writer
  /// @return null if the key exists
  @Nullable Identity putIfAbsent(String key, String writer, MemorySegment content)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        PutObjectResponse response =
            send(() ->
                clients
                    .once()
                    .putObject(
                        request ->
                            request
                                .bucket(name)
                                .key(prefix + key)
                                .ifNoneMatch(ABSENT)
                                .metadata(Map.of(WRITER, writer)),
                        body(content)));
        return new Identity(present(response.eTag(), key), content.byteSize());
      } catch (SdkException e) {
        if (Failures.isPreconditionFailed(e)) {
          return null;
        }
        if (!Failures.isConflict(e) || attempt == CONFLICT_ATTEMPTS) {
          throw Failures.translated(e, key);
        }
      } finally {
        identities.forget(key);
      }
      pause(attempt * CONFLICT_PAUSE_MILLIS);
    }
  }

  /// Returns the requests of multipart uploads.
  PartRequests parts() {
    return parts;
  }

  /// Returns the identity and writer of a blob, or null if absent.
  @Nullable Writing writing(String key) throws IOException {
    HeadObjectResponse head = head(key);
    return head == null
        ? null
        : new Writing(
            head.metadata().getOrDefault(WRITER, ""),
            new Identity(head.eTag(), head.contentLength()));
  }

  private @Nullable HeadObjectResponse head(String key) throws IOException {
    try {
      HeadObjectResponse head =
          send(() ->
              clients.retrying().headObject(request -> request.bucket(name).key(prefix + key)));
      present(head.contentLength(), key);
      identities.compare(key, present(head.eTag(), key));
      return head;
    } catch (SdkException e) {
      if (Failures.isMissing(e)) {
        identities.forget(key);
        return null;
      }
      throw Failures.translated(e, key);
    }
  }

  /// Returns the keys after `after` that start with `start`, and their sizes in bytes. Skips
  /// foreign objects whose names are not valid keys.
  SequencedMap<String, Long> list(String start, @Nullable String after, int limit)
      throws IOException {
    SequencedMap<String, Long> keys = new LinkedHashMap<>();
    String token = null;
    while (keys.size() < limit) {
      ListObjectsV2Response page = page(start, after, limit - keys.size(), token);
      for (S3Object object : page.contents()) {
        String key = object.key().substring(prefix.length());
        if (Keys.isKey(key)) {
          keys.put(key, object.size());
          identities.compare(key, object.eTag());
        }
      }
      if (!Boolean.TRUE.equals(page.isTruncated())) {
        break;
      }
      token = page.nextContinuationToken();
    }
    return keys;
  }

  private ListObjectsV2Response page(
      String start, @Nullable String after, int limit, @Nullable String token) throws IOException {
    for (int attempt = 1; ; attempt++) {
      ListObjectsV2Response page =
          call(
              start,
              () ->
                  clients
                      .retrying()
                      .listObjectsV2(request ->
                          request
                              .bucket(name)
                              .prefix(prefix + start)
                              .startAfter(after == null ? null : prefix + after)
                              .maxKeys(Math.min(limit, PAGE_SIZE))
                              .continuationToken(token)));
      if (page.isTruncated() != null || attempt == ATTEMPTS) {
        present(page.isTruncated(), start);
        return page;
      }
    }
  }

  /// Deletes a blob.
  ///
  /// @return false if the blob did not exist
  boolean delete(String key) throws IOException {
    if (head(key) == null) {
      return false;
    }
    call(
        key,
        () -> clients.retrying().deleteObject(request -> request.bucket(name).key(prefix + key)));
    return true;
  }

  /// Returns whether the store has responded a moment ago, or does now.
  boolean isReachable() {
    if (clients.http().hasRespondedWithin(RECENT)) {
      return true;
    }
    if (!probing.tryLock()) {
      // Another thread finds out.
      return clients.http().hasRespondedWithin(RECENT.plus(PROBE));
    }
    try {
      clients
          .once()
          .listObjectsV2(request ->
              request
                  .bucket(name)
                  .prefix(prefix)
                  .maxKeys(1)
                  .overrideConfiguration(
                      call -> call.apiCallTimeout(PROBE).apiCallAttemptTimeout(PROBE)));
      return true;
    } catch (SdkException e) {
      return false;
    } finally {
      probing.unlock();
    }
  }

  void close() {
    clients.close();
  }

  static RequestBody body(MemorySegment content) {
    return RequestBody.fromContentProvider(
        () -> new SegmentInputStream(content), content.byteSize(), "application/octet-stream");
  }

  static <T> T call(String key, Supplier<T> request) throws IOException {
    try {
      return send(request);
    } catch (SdkException e) {
      throw Failures.translated(e, key);
    }
  }

  /// Sends a request. The library translates failures of connections, but not one at the end of the
  /// body of a response.
  ///
  /// @throws SdkException if it fails
  static <T> T send(Supplier<T> request) {
    try {
      return request.get();
    } catch (UncheckedIOException e) {
      throw SdkClientException.create(String.valueOf(e.getMessage()), e);
    }
  }

  /// Returns a value of the head of a response, which has it unless the connection broke before its
  /// end: the library takes what arrived for a whole head.
  ///
  /// @throws StoreUnavailableException if it is missing
  static <T> T present(@Nullable T value, String key) throws StoreUnavailableException {
    try {
      return received(value, key);
    } catch (EOFException e) {
      throw new StoreUnavailableException(String.valueOf(e.getMessage()), e);
    }
  }

  /// Returns a value as [#present] does, of a response that can be requested again.
  ///
  /// @throws EOFException if it is missing
  private static <T> T received(@Nullable T value, String key) throws EOFException {
    if (value == null) {
      throw new EOFException(
          "Expected a whole head of a response but found a part of one at key " + key);
    }
    return value;
  }

  private static void pause(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted", e);
    }
  }

  /// @param bytes the requested number of bytes, or the whole blob if shorter
  record Start(Identity identity, MemorySegment bytes) {}

  record Writing(String writer, Identity identity) {}

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
