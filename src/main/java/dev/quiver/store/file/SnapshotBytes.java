package dev.quiver.store.file;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.arrow.ipc.EncapsulatedMessage;
import dev.quiver.arrow.ipc.Framing;
import dev.quiver.arrow.memory.InputException;
import dev.quiver.arrow.memory.Limits;
import dev.quiver.arrow.metadata.Block;
import dev.quiver.arrow.metadata.Buffer;
import dev.quiver.arrow.metadata.MessageDecoder;
import dev.quiver.arrow.metadata.MessageHeader.RecordBatchHeader;
import dev.quiver.arrow.parallel.InFlightBytes;
import dev.quiver.arrow.parallel.ScratchMemory;
import dev.quiver.store.blob.BlobSink;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlockChecksums;
import dev.quiver.store.blob.LocalRange;
import dev.quiver.store.blob.StorageFullException;
import dev.quiver.store.catalog.Catalog;
import dev.quiver.store.catalog.LinkedFileCheck;
import dev.quiver.store.version.BlobExtent;
import dev.quiver.store.version.BlobStatistics;
import dev.quiver.store.version.ByteRange;
import dev.quiver.store.version.Damage;
import dev.quiver.store.version.DamagedBlobException;
import dev.quiver.store.version.DamagedDatasetException;
import dev.quiver.store.version.Manifest;
import dev.quiver.store.version.StoreKeys;
import dev.quiver.store.version.VersionSummary;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The bytes and messages of a version's IPC file, gathered from its extents. What is read here, or
/// by others from ranges that this passes on, is checked as [CheckedBlob] does.
public final class SnapshotBytes implements AutoCloseable {

  private static final long BUFFER_BYTE_SIZE = 256 << 10;

  /// The approximate ratio of the objects that a message and its columns are decoded to, to the
  /// size of the schema. Both grow with the number of columns.
  private static final long DECODED_FACTOR = 20;

  /// Less is not charged: the number of responses bounds it.
  private static final long CHARGED_BYTE_SIZE = 1 << 20;

  private final BlobStore store;
  private final List<BlobExtent> extents;
  private final CheckedBlobs blobs;
  private final long[] ends;
  private InFlightBytes.@Nullable ResponseCharge charge;
  private long decodedByteSize;

  private SnapshotBytes(BlobStore store, CheckedBlobs blobs, List<BlobExtent> extents) {
    this.store = store;
    this.blobs = blobs;
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
      BlobStore store, Catalog.OpenManifest open, VersionCaches caches, InFlightBytes inFlight)
      throws IOException {
    SnapshotBytes bytes = openLazily(store, open, caches);
    bytes.charge = inFlight.openResponse();
    bytes.decodedByteSize = DECODED_FACTOR * open.summary().file().schemaMetaDataLength();
    try {
      bytes.blobs.open(bytes.extents);
      return bytes;
    } catch (IOException | RuntimeException e) {
      bytes.blobs.close();
      throw e;
    }
  }

  /// Opens each blob when it is first read, which suits a caller that reads only a few of them.
  public static SnapshotBytes openLazily(
      BlobStore store, Catalog.OpenManifest open, VersionCaches caches) throws IOException {
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
    CheckedBlobs blobs = new CheckedBlobs(store, open, caches.checksums());
    SnapshotBytes bytes = new SnapshotBytes(store, blobs, extents);
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
      byteSizes.put(extent.key(), blobs.get(extent).byteSize());
    }
    return byteSizes;
  }

  /// Returns the ranges of local files that make up the file, in order. Remote ranges are fetched.
  ///
  /// @throws StorageFullException if the store cannot keep them locally
  public List<LocalRange> localRanges() throws IOException {
    List<LocalRange> ranges = new ArrayList<>();
    for (BlobExtent extent : extents) {
      CheckedBlob blob = blobs.get(extent);
      BlockChecksums checksums = blob.blocksWithin(extent.byteOffset(), extent.byteSize());
      Path path = blob.localPath(extent.byteOffset(), extent.byteSize());
      if (path == null) {
        throw new StorageFullException(
            new IOException("Expected room for a dataset in the cache of the store"));
      }
      ranges.add(
          new LocalRange(extent.key(), path, extent.byteOffset(), extent.byteSize(), checksums));
    }
    return ranges;
  }

  public void read(long byteOffset, long byteSize, BlobSink sink) throws IOException {
    for (BlobExtent extent : extents(byteOffset, byteSize)) {
      sink.write(blobs.get(extent), extent.byteOffset(), extent.byteSize());
    }
  }

  /// Reads a small range.
  public MemorySegment read(long byteOffset, int byteSize) throws IOException {
    MemorySegment destination = MemorySegment.ofArray(new byte[byteSize]);
    readFully(extents(byteOffset, byteSize), destination);
    return destination;
  }

  /// Returns whether a blob has a sidecar.
  boolean hasSidecar(String key) {
    return blobs.hasSidecar(key);
  }

  /// Reads the statistics in the sidecar of a blob.
  BlobStatistics readStatistics(String key) throws IOException {
    return blobs
        .sidecar(
            key,
            byteSize -> {
              synchronized (blobs) {
                // Several threads read sidecars, while the one of the response waits for them.
                share(StoreKeys.sidecar(key), byteSize);
              }
            })
        .statistics();
  }

  /// Returns the version, such as `cities@3`.
  public String version() {
    return blobs.version();
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
  /// @throws dev.quiver.arrow.parallel.OverloadedException if other responses hold too much
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
        MessageDecoder.decode(metadata, Limits.ACCEPTED));
  }

  /// Returns the body of a message. A large body within one blob is mapped; any other is read into
  /// `memory`.
  public MemorySegment body(Block block, Arena arena, ScratchMemory memory) throws IOException {
    return body(block, List.of(new ByteRange(0, block.bodyLength())), arena, memory);
  }

  /// Returns the body of a message as [#body(Block, Arena, ScratchMemory)] does, for a reader of
  /// some of its buffers.
  ///
  /// @param header of the message, with the buffers that are read
  public MemorySegment body(
      Block block, RecordBatchHeader header, Arena arena, ScratchMemory memory) throws IOException {
    return body(block, used(block, header), arena, memory);
  }

  /// Returns the body of a message as [#body(Block, RecordBatchHeader, Arena, ScratchMemory)] does,
  /// but leaves it to another thread to compare most of what is mapped with its checksums.
  public UncheckedBody uncheckedBody(
      Block block, RecordBatchHeader header, Arena arena, ScratchMemory memory) throws IOException {
    BlobExtent piece = mappedPiece(block);
    List<ByteRange> used = used(block, header);
    return piece == null
        ? UncheckedBody.ofIntact(body(block, used, arena, memory))
        : blobs.get(piece).mapUnchecked(piece.byteOffset(), piece.byteSize(), arena, used);
  }

  private static List<ByteRange> used(Block block, RecordBatchHeader header) {
    List<ByteRange> used = new ArrayList<>();
    for (Buffer buffer : header.buffers()) {
      if (buffer.length() > 0 && buffer.offset() <= block.bodyLength() - buffer.length()) {
        used.add(new ByteRange(buffer.offset(), buffer.length()));
      }
    }
    return used;
  }

  private MemorySegment body(Block block, List<ByteRange> used, Arena arena, ScratchMemory memory)
      throws IOException {
    BlobExtent piece = mappedPiece(block);
    if (piece != null) {
      return blobs.get(piece).map(piece.byteOffset(), piece.byteSize(), arena, used);
    }
    MemorySegment destination = memory.allocate(block.bodyLength(), Framing.BODY_ALIGNMENT);
    readFully(pieces(block), destination);
    return destination;
  }

  /// Returns the place of a body that is mapped, or null if it is read.
  private @Nullable BlobExtent mappedPiece(Block block) {
    List<BlobExtent> pieces = pieces(block);
    return pieces.size() == 1 && block.bodyLength() > BUFFER_BYTE_SIZE ? pieces.getFirst() : null;
  }

  private List<BlobExtent> pieces(Block block) {
    return extents(block.offset() + block.metaDataLength(), block.bodyLength());
  }

  /// Checks the block of a blob at an offset. If a local copy is damaged, it is replaced.
  ///
  /// @throws DamagedBlobException if the block is damaged in the store itself
  public void requireIntact(String blob, long byteOffset) throws IOException {
    CheckedBlob checked = blobs.get(new BlobExtent(blob, byteOffset, 1));
    checked.readFully(byteOffset, MemorySegment.ofArray(new byte[1]));
  }

  /// Returns the checksum that a message had when it was stored, or null if unknown.
  ///
  /// @throws DamagedBlobException if that is unknown, since a block at its edge is damaged
  public @Nullable Integer checksum(Block block) throws IOException {
    int joined = 0;
    for (BlobExtent piece : extents(block.offset(), block.byteSize())) {
      Integer checksum = blobs.get(piece).checksum(piece.byteOffset(), piece.byteSize());
      if (checksum == null) {
        return null;
      }
      joined = Crc32c.joined(joined, checksum, piece.byteSize());
    }
    return joined;
  }

  /// Returns the damage of a message that was not written as it was stored.
  public DamagedBlobException damaged(Block block) {
    BlobExtent start = extents(block.offset(), 1).getFirst();
    return Damage.PROCESS.found(version(), start.key(), start.byteOffset());
  }

  /// Returns the exception for stored data that cannot be decoded. The data was valid when it was
  /// ingested, so this is a server error and not the client's.
  public static IOException damaged(InputException e) {
    return new IOException("Stored data is damaged", e);
  }

  private void readFully(List<BlobExtent> pieces, MemorySegment destination) throws IOException {
    long position = 0;
    for (BlobExtent piece : pieces) {
      blobs
          .get(piece)
          .readFully(piece.byteOffset(), destination.asSlice(position, piece.byteSize()));
      position += piece.byteSize();
    }
  }

  @Override
  public void close() throws IOException {
    if (charge != null) {
      charge.close();
    }
    blobs.close();
  }

  private static void add(List<BlobExtent> extents, BlobExtent extent) {
    if (extent.byteSize() > 0) {
      extents.add(extent);
    }
  }
}
