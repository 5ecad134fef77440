package dev.quiver.store.version;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.formats.FileParameters;
import dev.quiver.store.blob.Blob;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Format 2 of a manifest's blob, which is read but no longer written. Numbers are little-endian.
///
/// ```
/// Blob            --> Magic FormatVersion SummaryByteSize Summary
///                     ExtentCount KeyCount TailByteSize Parent Extent{ExtentCount} Key{KeyCount}
///                     Checksum Tail
/// FormatVersion   --> int32, 2
/// SummaryByteSize --> int32
/// ExtentCount     --> int32
/// KeyCount        --> int32
/// TailByteSize    --> int64
/// Parent          --> Text, the commit id of the version before; empty without one
/// Extent          --> as in ManifestFormat, with the whole key
/// Key             --> as in RememberedKeys
/// Checksum        --> int32, CRC-32C of all bytes before it
/// Tail            --> byte{TailByteSize}
/// ```
final class EarlierManifestFormat {

  static final int FORMAT_VERSION = 2;

  private static final int COUNTS_BYTE_SIZE = 4 + 4 + 8;

  private EarlierManifestFormat() {}

  /// Reads everything except the tail.
  ///
  /// @param cursor the start of the blob, after the format version
  static Manifest read(Blob blob, Cursor cursor) throws IOException {
    VersionSummary summary = VersionSummary.read(cursor.bytes(cursor.int32()));
    Cursor counts = ManifestFormat.readUpTo(blob, cursor, cursor.position() + COUNTS_BYTE_SIZE);
    int extentCount = counts.int32();
    int keyCount = counts.int32();
    long tailByteSize = counts.int64();
    long tailOffset = blob.byteSize() - tailByteSize;
    if (tailByteSize < 0 || tailOffset < counts.position()) {
      throw new IllegalArgumentException(
          "Expected a tail within the blob but found one of %d bytes".formatted(tailByteSize));
    }
    Cursor rest = ManifestFormat.readUpTo(blob, counts, tailOffset);
    String parent = rest.text();
    List<BlobExtent> extents = new ArrayList<>();
    for (int i = 0; i < extentCount; i++) {
      extents.add(ManifestFormat.extent("", rest));
    }
    List<RememberedKeys.Key> keys = new ArrayList<>();
    for (int i = 0; i < keyCount; i++) {
      long version = rest.int64();
      Instant committedAt = Instant.ofEpochMilli(rest.int64());
      keys.add(new RememberedKeys.Key(rest.text(), version, committedAt));
    }
    int found = Crc32c.of(rest.segment().asSlice(0, rest.position()));
    ManifestFormat.requireEqual(rest.int32(), found);
    ManifestFormat.requireEqual(tailOffset, rest.position());
    return new Manifest(
        summary,
        parent.isEmpty() ? null : parent,
        /* lastReplacement= */ 0,
        new RememberedKeys(List.of(), keys),
        extents,
        FileChecksums.UNKNOWN,
        /* digest= */ null,
        /* lineage= */ null,
        /* conversions= */ List.of(),
        FileParameters.NONE,
        BlobWriters.NONE,
        List.of(),
        tailOffset,
        tailByteSize,
        /* tailChecksum= */ null);
  }
}
