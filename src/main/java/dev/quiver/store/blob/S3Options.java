package dev.quiver.store.blob;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The location of a store on S3, and its local cache.
///
/// @param bucket an existing bucket
/// @param endpoint null for the AWS endpoint of the region
/// @param region empty for the region of the environment or, with an endpoint, an arbitrary one
/// @param prefix the start of all object names, without a trailing slash; may be empty
/// @param pathStyle whether the bucket is the first part of the path rather than of the host
/// @param checksums when requests carry checksums
/// @param cachePath the folder of the cache, created if missing
/// @param cacheByteSize the maximum size of cached blobs
public record S3Options(
    String bucket,
    @Nullable URI endpoint,
    String region,
    String prefix,
    boolean pathStyle,
    Checksums checksums,
    Path cachePath,
    long cacheByteSize) {

  /// When requests carry checksums and checksums of responses are verified.
  public enum Checksums {
    /// Wherever AWS supports them. Other stores may reject them.
    WHEN_SUPPORTED,
    /// Only where the protocol requires them.
    WHEN_REQUIRED
  }
}
