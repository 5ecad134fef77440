package dev.quiver.store.blob.s3;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/// The requests of multipart uploads.
final class PartRequests {

  private final BlobIdentityCache identities;
  private final S3Clients clients;
  private final String name;
  private final String prefix;

  /// @param identities the identities, from which newly put blobs are dropped
  /// @param name the bucket
  /// @param prefix the start of all object names
  PartRequests(BlobIdentityCache identities, S3Clients clients, String name, String prefix) {
    this.identities = identities;
    this.clients = clients;
    this.name = name;
    this.prefix = prefix;
  }

  /// Starts a multipart upload.
  ///
  /// @return the store's id of the upload
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
  /// @param number counted from 1
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
    return CompletedPart.builder()
        .partNumber(number)
        .eTag(Bucket.entityTag(entityTag, key))
        .build();
  }

  /// Combines the parts into a blob, unless the key exists.
  ///
  /// @return its entity tag, or null if the key exists
  @Nullable String end(String key, String upload, List<CompletedPart> parts) throws IOException {
    try {
      CompleteMultipartUploadResponse response =
          Bucket.send(() ->
              clients
                  .once()
                  .completeMultipartUpload(request ->
                      request
                          .bucket(name)
                          .key(prefix + key)
                          .uploadId(upload)
                          .ifNoneMatch(Bucket.ABSENT)
                          .multipartUpload(all -> all.parts(parts))));
      return Bucket.entityTag(response.eTag(), key);
    } catch (SdkException e) {
      if (S3Failures.isPreconditionFailed(e)) {
        return null;
      }
      throw S3Failures.translated(e, key);
    } finally {
      identities.forget(key);
    }
  }

  /// Makes the store discard the parts.
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
