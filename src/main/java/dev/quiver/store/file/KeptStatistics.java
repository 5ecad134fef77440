package dev.quiver.store.file;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.ConcurrentRequests;
import dev.quiver.store.blob.NoSuchBlobException;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Statistics of columns of a version, each in a blob beside its data. A reader calculates and
/// keeps them, and every later one finds them, also after a compaction. They are deleted with the
/// last version of their commit.
///
/// ```
/// Blob          --> Magic FormatVersion Checksum byte*
/// Magic         --> "QUIVERST"
/// FormatVersion --> int32
/// Checksum      --> int32, CRC-32C of the bytes that follow
/// ```
public final class KeptStatistics {

  private static final Logger LOG = System.getLogger(KeptStatistics.class.getName());

  private static final byte[] MAGIC = "QUIVERST".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION_OFFSET = MAGIC.length;
  private static final int CHECKSUM_OFFSET = VERSION_OFFSET + Integer.BYTES;
  private static final int HEADER_BYTE_SIZE = CHECKSUM_OFFSET + Integer.BYTES;

  /// The size above which a blob cannot be one.
  private static final int BYTE_SIZE_MAXIMUM = 64 << 20;

  /// The blobs that are read or written at a time: half of the connections to a bucket.
  private static final int CONCURRENT_COUNT = 128;

  private final BlobStore store;
  private final ConcurrentRequests requests;
  private final VersionSummary summary;

  KeptStatistics(BlobStore store, VersionSummary summary) {
    this.store = store;
    this.requests = new ConcurrentRequests(store, CONCURRENT_COUNT);
    this.summary = summary;
  }

  /// Returns kept statistics, or null if some are absent. Broken ones are deleted, so that they can
  /// be kept again.
  ///
  /// @param ids identify the columns of each, in characters that keys may have
  /// @param formatVersion the number of the format of the statistics
  /// @param decoder decodes statistics, and throws an [IllegalArgumentException] for broken ones
  public <T> @Nullable List<T> read(
      List<String> ids, int formatVersion, Function<byte[], T> decoder) throws IOException {
    List<Optional<T>> read =
        requests.forEach(ids, id -> Optional.ofNullable(read(id, formatVersion, decoder)));
    return read.stream().allMatch(Optional::isPresent)
        ? read.stream().map(Optional::orElseThrow).toList()
        : null;
  }

  private <T> @Nullable T read(String id, int formatVersion, Function<byte[], T> decoder)
      throws IOException {
    String key = key(id);
    try (Blob blob = store.open(key)) {
      byte[] bytes = content(blob, formatVersion);
      if (bytes != null) {
        return decoder.apply(bytes);
      }
    } catch (NoSuchBlobException e) {
      return null;
    } catch (IllegalArgumentException e) {
      LOG.log(Level.DEBUG, key, e);
    }
    LOG.log(Level.WARNING, "The statistics in {0} are broken, and calculated again", key);
    store.delete(key);
    return null;
  }

  private String key(String id) {
    return StoreKeys.statistics(summary.name(), summary.commitId(), id);
  }

  private static byte @Nullable [] content(Blob blob, int formatVersion) throws IOException {
    if (blob.byteSize() < HEADER_BYTE_SIZE || blob.byteSize() > BYTE_SIZE_MAXIMUM) {
      return null;
    }
    MemorySegment bytes = MemorySegment.ofArray(new byte[(int) blob.byteSize()]);
    blob.readFully(0, bytes);
    MemorySegment content = bytes.asSlice(HEADER_BYTE_SIZE);
    boolean isIntact =
        bytes.asSlice(0, MAGIC.length).mismatch(MemorySegment.ofArray(MAGIC)) < 0
            && LittleEndian.getInt32(bytes, VERSION_OFFSET) == formatVersion
            && LittleEndian.getInt32(bytes, CHECKSUM_OFFSET) == Crc32c.of(content);
    return isIntact ? content.toArray(LittleEndian.INT8) : null;
  }

  /// Keeps statistics. If the store cannot, they are calculated again when they are needed.
  ///
  /// @param statistics by the ids of their columns
  /// @param formatVersion the number of the format of the statistics
  public void keep(Map<String, byte[]> statistics, int formatVersion) throws IOException {
    requests.forEach(
        List.copyOf(statistics.entrySet()),
        entry -> keep(entry.getKey(), formatVersion, entry.getValue()));
  }

  private boolean keep(String id, int formatVersion, byte[] statistics) {
    MemorySegment bytes = MemorySegment.ofArray(new byte[HEADER_BYTE_SIZE + statistics.length]);
    bytes.asSlice(0, MAGIC.length).copyFrom(MemorySegment.ofArray(MAGIC));
    bytes.asSlice(HEADER_BYTE_SIZE).copyFrom(MemorySegment.ofArray(statistics));
    LittleEndian.setInt32(bytes, VERSION_OFFSET, formatVersion);
    LittleEndian.setInt32(bytes, CHECKSUM_OFFSET, Crc32c.of(bytes.asSlice(HEADER_BYTE_SIZE)));
    try {
      return store.putIfAbsent(key(id), bytes);
    } catch (IOException e) {
      LOG.log(Level.WARNING, "The statistics in {0} are not kept: {1}", key(id), e.getMessage());
      return false;
    }
  }
}
