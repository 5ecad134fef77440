package dev.quiver.storage.s3;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/// The requests that large blobs are put with, part by part.
final class PartRequests {

  private final BlobIdentityCache met;
  private final Clients clients;
  private final String name;
  private final String prefix;

  /// @param met forgets blobs that are put
  /// @param name of the bucket
  /// @param prefix of the names of all objects
  PartRequests(BlobIdentityCache met, Clients clients, String name, String prefix) {
    this.met = met;
    this.clients = clients;
    this.name = name;
    this.prefix = prefix;
  }

  /// Starts an upload of parts.
  ///
  /// @return what the store calls it
  String begin(String key, String writer) throws IOException {
    return Bucket.call(
        key,
        () ->
            clients
                .retrying()
                .createMultipartUpload(request ->
                    request.bucket(name).key(prefix + key).metadata(Map.of(Bucket.WRITER, writer)))
                .uploadId());
  }

  /// Sends a part.
  ///
  /// @param number from 1 on
  CompletedPart send(String key, String upload, int number, MemorySegment content)
      throws IOException {
    String entityTag =
        Bucket.call(
            key,
            () ->
                clients
                    .retrying()
                    .uploadPart(
                        request ->
                            request
                                .bucket(name)
                                .key(prefix + key)
                                .uploadId(upload)
                                .partNumber(number),
                        Bucket.body(content))
                    .eTag());
    return CompletedPart.builder().partNumber(number).eTag(entityTag).build();
  }

  /// Makes a blob of parts, where there is none.
  ///
  /// @return its entity tag; null when the key exists
  @Nullable String end(String key, String upload, List<CompletedPart> parts) throws IOException {
    try {
      return clients
          .once()
          .completeMultipartUpload(request ->
              request
                  .bucket(name)
                  .key(prefix + key)
                  .uploadId(upload)
                  .ifNoneMatch(Bucket.ABSENT)
                  .multipartUpload(all -> all.parts(parts)))
          .eTag();
    } catch (SdkException e) {
      if (Failures.isPreconditionFailed(e)) {
        return null;
      }
      throw Failures.translated(e, key);
    } finally {
      met.forget(key);
    }
  }

  /// Has the store forget the parts that were sent.
  void abort(String key, String upload) throws IOException {
    Bucket.call(
        key,
        () ->
            clients
                .retrying()
                .abortMultipartUpload(
                    request -> request.bucket(name).key(prefix + key).uploadId(upload)));
  }
}
