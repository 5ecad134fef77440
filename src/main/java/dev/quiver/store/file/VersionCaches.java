package dev.quiver.store.file;

import dev.quiver.arrow.parallel.LruCache;
import dev.quiver.store.blob.BlockChecksums;
import dev.quiver.store.version.BlobStatistics;

/// The decoded metadata of versions that their readers share, bounded by bytes.
///
/// @param contents the footers of versions, by their ids
/// @param statistics the statistics of blobs, by their keys
/// @param checksums the checksums of blobs, by their keys
public record VersionCaches(
    LruCache<String, StoredVersion.Contents> contents,
    LruCache<String, BlobStatistics> statistics,
    LruCache<String, BlockChecksums> checksums) {

  /// Returns empty caches.
  ///
  /// @param byteSizeMaximum of the footers; statistics have a quarter of that, and so have
  ///   checksums
  public VersionCaches(long byteSizeMaximum) {
    this(
        new LruCache<>(byteSizeMaximum),
        new LruCache<>(byteSizeMaximum / 4),
        new LruCache<>(byteSizeMaximum / 4));
  }
}
