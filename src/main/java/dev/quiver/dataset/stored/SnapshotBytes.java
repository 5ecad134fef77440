package dev.quiver.dataset.stored;

import dev.quiver.dataset.catalog.Catalog;
import dev.quiver.dataset.catalog.LinkedFileCheck;
import dev.quiver.dataset.manifest.BlobStatistics;
import dev.quiver.dataset.manifest.BrokenSidecarException;
import dev.quiver.dataset.manifest.Manifest;
import dev.quiver.dataset.manifest.Sidecar;
import dev.quiver.dataset.manifest.StoreKeys;
import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.dataset.version.DamagedDatasetException;
import dev.quiver.dataset.version.VersionSummary;
import dev.quiver.input.InputException;
import dev.quiver.ipc.EncapsulatedMessage;
import dev.quiver.ipc.Framing;
import dev.quiver.memory.Crc32c;
import dev.quiver.memory.InFlightBytes;
import dev.quiver.memory.ScratchMemory;
import dev.quiver.metadata.Block;
import dev.quiver.metadata.MessageDecoder;
import dev.quiver.storage.Blob;
import dev.quiver.storage.BlobSink;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.LocalRange;
import dev.quiver.storage.NoSuchBlobException;
import dev.quiver.storage.StorageFullException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The bytes and messages of a version's IPC file, gathered from its extents.
public final class SnapshotBytes implements AutoCloseable {

  private static final Logger LOG = System.getLogger(SnapshotBytes.class.getName());

  private static final long BUFFER_BYTE_SIZE = 256 << 10;

  /// The approximate ratio of the objects that a message and its columns are decoded to, to the
  /// size of the schema. Both grow with the number of columns.
  private static final long DECODED_FACTOR = 20;

  /// Less is not charged: the number of responses bounds it.
  private static final long CHARGED_BYTE_SIZE = 1 << 20;

  private final BlobStore store;
  private final List<BlobExtent> extents;
  private final Map<String, Blob> blobs = new LinkedHashMap<>();

  /// The keys of the blobs with a sidecar.
  private final Set<String> described = new HashSet<>();

  private final long[] ends;
  private InFlightBytes.@Nullable ResponseCharge charge;
  private long decodedByteSize;
  private @Nullable Integer tailChecksum;

  private SnapshotBytes(BlobStore store, List<BlobExtent> extents) {
    this.store = store;
    this.extents = List.copyOf(extents);
    this.ends = new long[extents.size()];
    long end = 0;
    for (int i = 0; i < ends.length; i++) {
      end = Math.addExact(end, extents.get(i).byteSize());
      ends[i] = end;
    }
  }

  /// Opens every blob once, and holds them all, so that deleting them does not disturb readers.
  ///
  /// @param inFlight accounts for the metadata that a response decodes
  public static SnapshotBytes open(
      BlobStore store, Catalog.OpenManifest open, InFlightBytes inFlight) throws IOException {
    SnapshotBytes bytes = openLazily(store, open);
    bytes.charge = inFlight.openResponse();
    bytes.decodedByteSize = DECODED_FACTOR * open.summary().file().schemaMetaDataLength();
    try {
      if (store.isRemote()) {
        bytes.blobs.putAll(RemoteBlobs.open(store, bytes.closedKeys()));
      }
      for (BlobExtent extent : bytes.extents) {
        bytes.blob(extent);
      }
      return bytes;
    } catch (IOException | RuntimeException e) {
      closeAll(bytes.blobs);
      throw e;
    }
  }

  /// Opens each blob when it is first read, which suits a caller that reads only a few of them.
  public static SnapshotBytes openLazily(BlobStore store, Catalog.OpenManifest open)
      throws IOException {
    Manifest manifest = open.manifest();
    try {
      LinkedFileCheck.requireUnchanged(store, manifest);
    } catch (IOException | DamagedDatasetException e) {
      open.close();
      throw e;
    }
    List<BlobExtent> extents = new ArrayList<>();
    manifest.extents().forEach(extent -> add(extents, extent));
    add(extents, new BlobExtent(open.key(), manifest.tailOffset(), manifest.tailByteSize()));
    SnapshotBytes bytes = new SnapshotBytes(store, extents);
    for (int i = 0; i < manifest.extents().size(); i++) {
      if (manifest.checksums().extent(i).hasSidecar()) {
        bytes.described.add(manifest.extents().get(i).key());
      }
    }
    bytes.tailChecksum = manifest.tailByteSize() == 0 ? null : manifest.tailChecksum();
    Blob blob = open.blob();
    if (blob != null) {
      bytes.blobs.put(open.key(), blob);
    }
    if (bytes.byteSize() != manifest.summary().file().byteSize()) {
      open.close();
      throw new IOException(
          "Expected extents of %d bytes but found %d at blob %s"
              .formatted(manifest.summary().file().byteSize(), bytes.byteSize(), open.key()));
    }
    return bytes;
  }

  long byteSize() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  public List<BlobExtent> extents() {
    return extents;
  }

  /// Returns the blob ranges that make up a range of the file, in order.
  List<BlobExtent> extents(long byteOffset, long byteSize) {
    Objects.checkFromIndexSize(byteOffset, byteSize, byteSize());
    List<BlobExtent> pieces = new ArrayList<>();
    long position = byteOffset;
    long end = byteOffset + byteSize;
    for (int i = 0; i < ends.length && position < end; i++) {
      if (position < ends[i]) {
        BlobExtent extent = extents.get(i);
        long skipped = position - (ends[i] - extent.byteSize());
        long count = Math.min(end, ends[i]) - position;
        pieces.add(new BlobExtent(extent.key(), extent.byteOffset() + skipped, count));
        position += count;
      }
    }
    return pieces;
  }

  /// Returns the size of each blob by its key, in the order of the extents.
  public Map<String, Long> blobByteSizes() throws IOException {
    Map<String, Long> byteSizes = new LinkedHashMap<>();
    for (BlobExtent extent : extents) {
      byteSizes.put(extent.key(), blob(extent).byteSize());
    }
    return byteSizes;
  }

  /// Returns the ranges of local files that make up the file, in order. Remote ranges are fetched.
  ///
  /// @throws StorageFullException if the store cannot keep them locally
  public List<LocalRange> localRanges() throws IOException {
    List<LocalRange> ranges = new ArrayList<>();
    for (BlobExtent extent : extents) {
      Path path = blob(extent).localPath(extent.byteOffset(), extent.byteSize());
      if (path == null) {
        throw new StorageFullException(
            new IOException("Expected room for a dataset in the cache of the store"));
      }
      ranges.add(new LocalRange(path, extent.byteOffset(), extent.byteSize()));
    }
    return ranges;
  }

  public void read(long byteOffset, long byteSize, BlobSink sink) throws IOException {
    for (BlobExtent extent : extents(byteOffset, byteSize)) {
      sink.write(blob(extent), extent.byteOffset(), extent.byteSize());
    }
  }

  /// Reads a small range.
  public MemorySegment read(long byteOffset, int byteSize) throws IOException {
    MemorySegment destination = MemorySegment.ofArray(new byte[byteSize]);
    readFully(extents(byteOffset, byteSize), destination);
    return destination;
  }

  /// Requires the end of the file to be as it was written, if the manifest's own blob has it.
  ///
  /// @throws IOException if the blob is damaged
  void requireTailIntact() throws IOException {
    if (tailChecksum == null) {
      return;
    }
    BlobExtent tail = extents.getLast();
    MemorySegment bytes = read(byteSize() - tail.byteSize(), Math.toIntExact(tail.byteSize()));
    int found = Crc32c.of(bytes);
    if (found != tailChecksum) {
      throw new IOException(
          "Expected bytes with CRC-32C %08x but found %08x at the end of blob %s"
              .formatted(tailChecksum, found, tail.key()));
    }
  }

  /// Returns whether a blob has a sidecar.
  boolean hasSidecar(String key) {
    return described.contains(key);
  }

  /// Reads the statistics in the sidecar of a blob. If the sidecar is lost or broken, they are
  /// unknown: the data itself may be whole.
  BlobStatistics readStatistics(String key) throws IOException {
    String sidecarKey = StoreKeys.sidecar(key);
    try (Blob blob = store.open(sidecarKey)) {
      synchronized (described) {
        // Several threads read sidecars, while the one of the response waits for them.
        share(sidecarKey, blob.byteSize());
      }
      return Sidecar.read(sidecarKey, blob).statistics();
    } catch (NoSuchBlobException | BrokenSidecarException e) {
      LOG.log(Level.WARNING, "The statistics of {0} are lost: {1}", key, e.getMessage());
      return BlobStatistics.EMPTY;
    }
  }

  /// Returns the statistics of columns that are kept beside the blobs of a version.
  public KeptStatistics keptStatistics(VersionSummary summary) {
    return new KeptStatistics(store, summary);
  }

  /// Returns whether each read of a blob takes a request.
  boolean isRemote() {
    return store.isRemote();
  }

  /// Charges a value of metadata that readers of this version share, before it is loaded.
  public void share(String key, long byteSize) {
    if (charge != null && byteSize >= CHARGED_BYTE_SIZE) {
      charge.share(key, byteSize);
    }
  }

  /// Charges what is decoded of one message and its values, once. A response calls this before it
  /// sends anything.
  ///
  /// @throws dev.quiver.input.OverloadedException if other responses hold too much
  public void chargeDecoding() {
    if (charge != null && decodedByteSize >= CHARGED_BYTE_SIZE) {
      charge.take(decodedByteSize);
      decodedByteSize = 0;
    }
  }

  /// Gives back what decoding was charged, once nothing decoded is needed anymore.
  public void giveBackDecoding() {
    if (charge != null) {
      charge.giveBack();
    }
  }

  /// Returns the message of a block, without its body.
  ///
  /// @param index the index of the message, for errors
  public EncapsulatedMessage message(Block block, long index) throws IOException {
    chargeDecoding();
    MemorySegment metadata =
        read(block.offset(), block.metaDataLength()).asSlice(Framing.PREFIX_BYTE_SIZE);
    return new EncapsulatedMessage(
        index,
        block.offset(),
        Framing.PREFIX_BYTE_SIZE,
        block.metaDataLength(),
        metadata,
        MessageDecoder.decode(metadata, StoredVersion.LIMITS));
  }

  /// Returns the body of a message. A large body within one blob is mapped; any other is read into
  /// `memory`.
  public MemorySegment body(Block block, Arena arena, ScratchMemory memory) throws IOException {
    long byteSize = block.bodyLength();
    List<BlobExtent> pieces = extents(block.offset() + block.metaDataLength(), byteSize);
    if (pieces.size() == 1 && byteSize > BUFFER_BYTE_SIZE) {
      BlobExtent piece = pieces.getFirst();
      return blob(piece).map(piece.byteOffset(), byteSize, arena);
    }
    MemorySegment destination = memory.allocate(byteSize, Framing.BODY_ALIGNMENT);
    readFully(pieces, destination);
    return destination;
  }

  /// Returns the exception for stored data that cannot be decoded. The data was valid when it was
  /// ingested, so this is a server error and not the client's.
  public static IOException damaged(InputException e) {
    return new IOException("Stored data is damaged", e);
  }

  private void readFully(List<BlobExtent> pieces, MemorySegment destination) throws IOException {
    long position = 0;
    for (BlobExtent piece : pieces) {
      blob(piece).readFully(piece.byteOffset(), destination.asSlice(position, piece.byteSize()));
      position += piece.byteSize();
    }
  }

  @Override
  public void close() throws IOException {
    if (charge != null) {
      charge.close();
    }
    closeAll(blobs);
  }

  private Set<String> closedKeys() {
    return extents.stream()
        .map(BlobExtent::key)
        .filter(key -> !blobs.containsKey(key))
        .collect(Collectors.toSet());
  }

  private Blob blob(BlobExtent extent) throws IOException {
    Blob blob = blobs.get(extent.key());
    if (blob == null) {
      blob = store.open(extent.key());
      blobs.put(extent.key(), blob);
    }
    requireWithin(extent, blob);
    return blob;
  }

  private static void add(List<BlobExtent> extents, BlobExtent extent) {
    if (extent.byteSize() > 0) {
      extents.add(extent);
    }
  }

  private static void requireWithin(BlobExtent extent, Blob blob) throws IOException {
    if (extent.byteOffset() < 0
        || extent.byteSize() < 0
        || extent.byteOffset() > blob.byteSize() - extent.byteSize()) {
      throw new IOException(
          "Expected an extent within the blob's %d bytes but found %s"
              .formatted(blob.byteSize(), extent));
    }
  }

  private static void closeAll(Map<String, Blob> blobs) throws IOException {
    IOException first = null;
    for (Blob blob : blobs.values()) {
      try {
        blob.close();
      } catch (IOException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw first;
    }
  }
}
