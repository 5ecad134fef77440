package dev.quiver.store.catalog;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlockChecksums;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.FileChecksums;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.Sidecar;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The checksums of the next version, combined from the checksums of a write's blobs and of the
/// version before. Data is not read. A sidecar is read only if an extent of the version before was
/// divided.
final class VersionChecksums {

  private final BlobStore store;
  private final Map<String, Sidecar> written;
  private final @Nullable Manifest before;
  private final String version;
  private final Map<BlobExtent, FileChecksums.Extent> extentsBefore = new HashMap<>();
  private final Map<String, Boolean> sidecars = new HashMap<>();
  private final Map<String, BlockChecksums> read = new HashMap<>();

  /// @param written the sidecars of new blobs
  VersionChecksums(BlobStore store, Map<String, Sidecar> written, @Nullable Manifest before) {
    this.store = store;
    this.written = written;
    this.before = before;
    this.version = before == null ? "" : before.summary().reference().toString();
  }

  FileChecksums of(NextVersion next) throws IOException {
    if (before != null) {
      for (int i = 0; i < before.extents().size(); i++) {
        FileChecksums.Extent extent = before.checksums().extent(i);
        extentsBefore.put(before.extents().get(i), extent);
        sidecars.merge(before.extents().get(i).key(), extent.hasSidecar(), Boolean::logicalOr);
      }
    }
    List<@Nullable Integer> checksums = new ArrayList<>();
    for (BlobExtent extent : next.extents()) {
      checksums.add(checksum(extent));
    }
    long footerOffset = next.file().footerOffset();
    Integer file = joined(next, next.file().byteSize());
    Integer streamEnd = joined(next, footerOffset);
    int header = Crc32c.of(Framing.fileHeader());
    Integer stream =
        streamEnd == null
            ? null
            : (Integer)
                Crc32c.second(header, streamEnd, footerOffset - Framing.FILE_HEADER_BYTE_SIZE);
    List<FileChecksums.Extent> extents = new ArrayList<>();
    for (int i = 0; i < checksums.size(); i++) {
      String key = next.extents().get(i).key();
      boolean hasSidecar = written.containsKey(key) || sidecars.getOrDefault(key, false);
      extents.add(new FileChecksums.Extent(checksums.get(i), hasSidecar));
    }
    return new FileChecksums(file, stream, extents);
  }

  /// Returns the checksum of the start of the file, or null if unknown.
  private @Nullable Integer joined(NextVersion next, long end) throws IOException {
    int joined = 0;
    long position = 0;
    for (BlobExtent extent : next.extents()) {
      if (position < end) {
        long byteSize = Math.min(extent.byteSize(), end - position);
        Integer checksum = checksum(new BlobExtent(extent.key(), extent.byteOffset(), byteSize));
        if (checksum == null) {
          return null;
        }
        joined = Crc32c.joined(joined, checksum, byteSize);
        position += byteSize;
      }
    }
    if (position < end) {
      MemorySegment tail = next.tail().asSlice(0, end - position);
      joined = Crc32c.joined(joined, Crc32c.of(tail), tail.byteSize());
    }
    return joined;
  }

  private @Nullable Integer checksum(BlobExtent extent) throws IOException {
    FileChecksums.Extent same = extentsBefore.get(extent);
    if (same != null && same.checksum() != null) {
      return same.checksum();
    }
    Sidecar own = written.get(extent.key());
    BlockChecksums blob = own == null ? null : own.checksums();
    if (blob == null && sidecars.getOrDefault(extent.key(), false)) {
      blob = sidecar(extent.key());
    }
    return blob == null ? null : blob.of(extent.byteOffset(), extent.byteSize());
  }

  /// Returns the checksums of a blob from its sidecar.
  ///
  /// @throws IOException also if it is lost or broken
  private BlockChecksums sidecar(String data) throws IOException {
    BlockChecksums present = read.get(data);
    if (present == null) {
      present = Sidecar.read(store, data, version, _ -> {}).checksums();
      read.put(data, present);
    }
    return present;
  }
}
