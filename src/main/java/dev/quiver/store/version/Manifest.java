package dev.quiver.store.version;

import dev.quiver.formats.FileParameters;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The contents of a version.
///
/// Its IPC file consists of the extents and then the tail. The tail is stored in the manifest's own
/// blob, and is empty if the data blobs hold everything.
///
/// @param parentCommitId the commit id of the preceding version, even if that is a delete; null for
///   the first version of a name
/// @param lastReplacement the last version up to this one that is neither an append nor a
///   compaction, but may be an extension; 0 if an earlier release wrote one of those since
/// @param keys the remembered writes with idempotency keys
/// @param checksums of all extents, or empty
/// @param digest the digest sent with the upload; null if the version is not one upload, or not
///   byte for byte
/// @param lineage the statement that computed the rows which the version added; null if none did
/// @param conversions the columns that the write converted, if it has an idempotency key
/// @param fileParameters those of the last file of text that was uploaded
/// @param writers of the data
/// @param others the optional sections of unknown types
/// @param tailOffset where the tail starts in the manifest's blob
/// @param tailChecksum the CRC-32C of the tail; null if unknown
public record Manifest(
    VersionSummary summary,
    @Nullable String parentCommitId,
    long lastReplacement,
    RememberedKeys keys,
    List<BlobExtent> extents,
    FileChecksums checksums,
    @Nullable UploadDigest digest,
    @Nullable Lineage lineage,
    List<ColumnConversion> conversions,
    FileParameters fileParameters,
    BlobWriters writers,
    List<Section> others,
    long tailOffset,
    long tailByteSize,
    @Nullable Integer tailChecksum) {

  /// The size of a summary, and of an extent, a key or a section without its text.
  private static final long SUMMARY_HEAP_BYTE_SIZE = 1024;

  private static final long ELEMENT_HEAP_BYTE_SIZE = 128;

  public Manifest {
    extents = List.copyOf(extents);
    if (!checksums.extents().isEmpty() && checksums.extents().size() != extents.size()) {
      throw new IllegalArgumentException(
          "Expected checksums of %d extents but found %d"
              .formatted(extents.size(), checksums.extents().size()));
    }
    conversions = List.copyOf(conversions);
    others = List.copyOf(others);
  }

  /// Returns the keys of all blobs that this version may need, besides the manifest's own, in
  /// order.
  public Set<String> blobKeys() {
    Set<String> blobKeys = new TreeSet<>();
    for (BlobExtent extent : extents) {
      blobKeys.add(extent.key());
      // Data of before may have a sidecar that no manifest names.
      blobKeys.add(StoreKeys.sidecar(extent.key()));
    }
    keys.blobs().forEach(section -> blobKeys.add(section.blob()));
    others.stream()
        .filter(section -> !section.isLocal())
        .forEach(section -> blobKeys.add(section.blob()));
    return blobKeys;
  }

  /// Returns the approximate number of bytes that this takes in the heap.
  public long heapByteSize() {
    long byteSize = SUMMARY_HEAP_BYTE_SIZE;
    for (BlobExtent extent : extents) {
      byteSize += ELEMENT_HEAP_BYTE_SIZE + extent.key().length();
    }
    for (RememberedKeys.Key key : keys.recent()) {
      byteSize += ELEMENT_HEAP_BYTE_SIZE + key.hash().length();
    }
    for (Section section : keys.blobs()) {
      byteSize += ELEMENT_HEAP_BYTE_SIZE + section.blob().length();
    }
    return byteSize
        + lineageByteSize()
        + conversionsByteSize()
        + fileParametersByteSize()
        + ELEMENT_HEAP_BYTE_SIZE * (others.size() + writers.byBlob().size());
  }

  private long conversionsByteSize() {
    long byteSize = 0;
    for (ColumnConversion conversion : conversions) {
      int fromLength = conversion.from() == null ? 0 : conversion.from().length();
      byteSize +=
          ELEMENT_HEAP_BYTE_SIZE
              + conversion.column().length()
              + fromLength
              + conversion.to().length();
    }
    return byteSize;
  }

  private long fileParametersByteSize() {
    long byteSize = 0;
    for (Map.Entry<String, List<String>> parameter : fileParameters.values().entrySet()) {
      byteSize += ELEMENT_HEAP_BYTE_SIZE + parameter.getKey().length();
      for (String value : parameter.getValue()) {
        byteSize += ELEMENT_HEAP_BYTE_SIZE + value.length();
      }
    }
    return byteSize;
  }

  private long lineageByteSize() {
    if (lineage == null) {
      return 0;
    }
    long byteSize = lineage.sql().length();
    for (Map.Entry<String, String> parameter : lineage.parameters().entrySet()) {
      byteSize +=
          ELEMENT_HEAP_BYTE_SIZE + parameter.getKey().length() + parameter.getValue().length();
    }
    return byteSize + 2 * ELEMENT_HEAP_BYTE_SIZE * lineage.reads().size();
  }
}
