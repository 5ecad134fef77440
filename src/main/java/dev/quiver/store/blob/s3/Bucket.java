package dev.quiver.store.blob.s3;

import dev.quiver.store.blob.BlobKeys;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.blob.S3Options;
import dev.quiver.store.blob.StoreRequests;
import dev.quiver.store.blob.StoreUnavailableException;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
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

  private static final Pattern CUT_TAG = Pattern.compile("(W|W/|(W/)?\"[^\"]*)");

  /// The time after a response in which the store counts as reachable without a probe.
  private static final Duration RECENT = Duration.ofSeconds(10);

  private static final Duration PROBE = Duration.ofSeconds(3);

  private static final int PAGE_SIZE = 1_000;

  /// The number of attempts for a request whose response was truncated.
  static final int ATTEMPTS = 3;

  private static final int CONFLICT_ATTEMPTS = 10;
  private static final long CONFLICT_PAUSE_MILLIS = 20;
  private static final long LIST_PAUSE_MILLIS = 100;

  private final BlobIdentityCache identities;
  private final S3Clients clients;
  private final String name;
  private final String prefix;
  private final RangeRequests ranges;
  private final PartRequests parts;
  private final Lock probing = new ReentrantLock();

  /// @param identities the identities, from which deleted and replaced blobs are dropped
  Bucket(S3Options options, BlobIdentityCache identities, StoreRequests requests) {
    this.identities = identities;
    this.clients = S3Clients.of(options, requests);
    this.name = options.bucket();
    this.prefix = options.prefix().isEmpty() ? "" : options.prefix() + "/";
    this.ranges = new RangeRequests(this, identities, clients, name, prefix);
    this.parts = new PartRequests(identities, clients, name, prefix);
  }

  /// Puts a blob with one request, unless the key exists.
  ///
  /// @param writer the id of the writer
  /// @return null if the key exists
  @Nullable BlobIdentity putIfAbsent(String key, String writer, MemorySegment content)
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
        return new BlobIdentity(entityTag(response.eTag(), key), content.byteSize());
      } catch (SdkException e) {
        if (S3Failures.isPreconditionFailed(e)) {
          return null;
        }
        if (!S3Failures.isConflict(e) || attempt == CONFLICT_ATTEMPTS) {
          throw S3Failures.translated(e, key);
        }
      } finally {
        identities.forget(key);
      }
      pause(attempt * CONFLICT_PAUSE_MILLIS);
    }
  }

  /// Returns the requests for the bytes of blobs.
  RangeRequests ranges() {
    return ranges;
  }

  /// Returns the requests of multipart uploads.
  PartRequests parts() {
    return parts;
  }

  /// Returns the identity and writer of a blob, or null if absent.
  ///
  /// The first byte is read, too: it comes only after a whole head. A head that was cut may have a
  /// part of the size, or of the writer.
  @Nullable Writing writing(String key) throws IOException {
    try {
      RangeRequests.Start start = ranges.start(key, 1);
      identities.compare(key, start.identity().entityTag());
      return new Writing(start.writer(), start.identity());
    } catch (NoSuchBlobException e) {
      identities.forget(key);
      return null;
    }
  }

  /// Returns the head of an object, or null if absent.
  ///
  /// @throws StoreUnavailableException if it is absent since the bucket itself is
  @Nullable HeadObjectResponse head(String key) throws IOException {
    try {
      HeadObjectResponse head =
          send(() ->
              clients.retrying().headObject(request -> request.bucket(name).key(prefix + key)));
      identities.compare(key, entityTag(head.eTag(), key));
      return head;
    } catch (SdkException e) {
      if (S3Failures.isMissing(e)) {
        // The response to a HEAD has no body that says what is missing.
        requestedPage(key, null, 1, null);
        identities.forget(key);
        return null;
      }
      throw S3Failures.translated(e, key);
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
        if (BlobKeys.isKey(key)) {
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
      ListObjectsV2Response page = requestedPage(start, after, limit, token);
      if (isWhole(page)) {
        return page;
      }
      if (attempt == ATTEMPTS) {
        present(page.isTruncated(), start);
        for (S3Object object : page.contents()) {
          String key = object.key().substring(prefix.length());
          present(object.size(), key);
          present(object.eTag(), key);
        }
      }
      pause(attempt * LIST_PAUSE_MILLIS);
    }
  }

  private ListObjectsV2Response requestedPage(
      String start, @Nullable String after, int limit, @Nullable String token) throws IOException {
    return call(
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
  }

  /// Returns whether no part of a list is missing. Some stores list an object without its tag while
  /// they put or delete it, which takes long on a busy machine.
  private static boolean isWhole(ListObjectsV2Response page) {
    return page.isTruncated() != null
        && page.contents().stream()
            .allMatch(object -> object.size() != null && object.eTag() != null);
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
    } catch (SdkException | CancellationException e) {
      // The time of the call may end while it waits for a connection.
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

  /// Sends a request that may be repeated, until its response was not cut.
  ///
  /// @param request of the client that retries
  static <T> T call(String key, Supplier<T> request) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return send(request);
      } catch (SdkException e) {
        if (attempt == ATTEMPTS || !S3Failures.isCut(e)) {
          throw S3Failures.translated(e, key);
        }
      }
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

  /// Returns the tag in the head of a response, of which a part ends before its last quote. Some
  /// stores have tags without quotes.
  ///
  /// @throws StoreUnavailableException if it is missing or cut
  static String entityTag(@Nullable String tag, String key) throws StoreUnavailableException {
    boolean isCut = tag != null && CUT_TAG.matcher(tag).matches();
    return present(isCut ? null : tag, key);
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
  static <T> T received(@Nullable T value, String key) throws EOFException {
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

  record Writing(String writer, BlobIdentity identity) {}
}
