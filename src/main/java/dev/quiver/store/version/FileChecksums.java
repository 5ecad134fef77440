package dev.quiver.store.version;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The CRC-32C of a version's IPC file, of the stream within it, and of its extents.
///
/// ```
/// Checksums --> Sum Sum Extent*
/// Extent    --> Sum HasSidecar
/// Sum       --> Known Value
/// Known, HasSidecar --> int32, 0 or 1
/// Value     --> int32, CRC-32C or 0
/// ```
///
/// @param file null if unknown
/// @param stream null if unknown
/// @param extents empty if all are unknown
public record FileChecksums(
    @Nullable Integer file, @Nullable Integer stream, List<Extent> extents) {

  public static final FileChecksums UNKNOWN = new FileChecksums(null, null, List.of());

  private static final int SUM_BYTE_SIZE = 4 + 4;
  private static final int EXTENT_BYTE_SIZE = SUM_BYTE_SIZE + 4;

  public FileChecksums {
    extents = List.copyOf(extents);
  }

  /// @param checksum null if unknown
  /// @param hasSidecar whether the blob of the extent has a sidecar
  public record Extent(@Nullable Integer checksum, boolean hasSidecar) {

    static final Extent UNKNOWN = new Extent(null, false);
  }

  /// Returns what is known about the extent at an index.
  public Extent extent(int index) {
    return extents.isEmpty() ? Extent.UNKNOWN : extents.get(index);
  }

  MemorySegment write() {
    int byteSize = 2 * SUM_BYTE_SIZE + extents.size() * EXTENT_BYTE_SIZE;
    Cursor cursor = new Cursor(MemorySegment.ofArray(new byte[byteSize]));
    put(file, cursor);
    put(stream, cursor);
    for (Extent extent : extents) {
      put(extent.checksum, cursor);
      cursor.putInt32(extent.hasSidecar ? 1 : 0);
    }
    return cursor.segment();
  }

  static FileChecksums read(MemorySegment bytes) {
    Cursor cursor = new Cursor(bytes);
    Integer file = sum(cursor);
    Integer stream = sum(cursor);
    List<Extent> extents = new ArrayList<>();
    while (cursor.remaining() > 0) {
      extents.add(new Extent(sum(cursor), cursor.int32() != 0));
    }
    return new FileChecksums(file, stream, extents);
  }

  private static void put(@Nullable Integer sum, Cursor cursor) {
    cursor.putInt32(sum == null ? 0 : 1);
    cursor.putInt32(sum == null ? 0 : sum);
  }

  private static @Nullable Integer sum(Cursor cursor) {
    boolean known = cursor.int32() != 0;
    int value = cursor.int32();
    return known ? value : null;
  }
}
