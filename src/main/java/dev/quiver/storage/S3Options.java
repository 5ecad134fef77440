package dev.quiver.storage;

import java.net.URI;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Where a store on S3 is, and what of it is kept on the local disk.
///
/// @param bucket which exists
/// @param endpoint null is the region's of AWS
/// @param region empty is that of the environment or, with an endpoint, one that means nothing
/// @param prefix what the name of every object starts with, without a slash at its end; may be
///   empty
/// @param pathStyle whether the bucket is the first part of the path rather than of the host
/// @param checksums when requests carry checksums
/// @param cachePath the folder for what is kept, made when missing
/// @param cacheByteSize how much of blobs is kept there at most
public record S3Options(
    String bucket,
    @Nullable URI endpoint,
    String region,
    String prefix,
    boolean pathStyle,
    Checksums checksums,
    Path cachePath,
    long cacheByteSize) {

  /// When requests carry checksums and those of answers are checked.
  public enum Checksums {
    /// Wherever AWS has them. Other stores may refuse them.
    WHEN_SUPPORTED,
    /// Only where the protocol asks for them.
    WHEN_REQUIRED
  }
}
