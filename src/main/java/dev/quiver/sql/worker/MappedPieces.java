package dev.quiver.sql.worker;

import dev.quiver.store.blob.BlockChecksums;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The pieces of files that a worker has mapped.
///
/// A piece stays mapped for a while after its last statement, since the next one often reads the
/// same: to map it anew, to touch its pages for the first time and to check its blocks again takes
/// longer than many statements. All statements of a worker have the same principal. Shared by
/// threads.
final class MappedPieces {

  /// The time for which a piece stays mapped that no statement reads. A deleted file takes space
  /// until then.
  static final Duration UNUSED_MAXIMUM = Duration.ofSeconds(10);

  /// The time after which a piece is mapped anew, and its blocks are checked again, so that later
  /// damage is found.
  static final Duration AGE_MAXIMUM = Duration.ofMinutes(1);

  /// The number of pieces that stay mapped, of which the system allows only so many.
  static final int COUNT_MAXIMUM = 1000;

  /// The pieces for further statements, the last used last.
  private final LinkedHashMap<Place, Piece> pieces = new LinkedHashMap<>();

  private final LongSupplier nanoTime;

  /// @param nanoTime the time in nanoseconds since any moment
  MappedPieces(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  private record Place(String path, long byteOffset, long byteSize) {}

  /// The file at a path: another one has another key, or another time.
  private record Identity(@Nullable Object fileKey, FileTime lastModified) {}

  /// A mapped piece.
  static final class Piece {

    private final MemorySegment bytes;
    private final BlockChecksums checksums;
    private final Identity identity;
    private final Arena arena;
    private final long mappedAtNanos;

    /// A bit for each block that was found intact.
    private final AtomicIntegerArray intact;

    private int userCount;
    private long unusedSinceNanos;

    private Piece(
        MemorySegment bytes,
        BlockChecksums checksums,
        Identity identity,
        Arena arena,
        long mappedAtNanos) {
      this.bytes = bytes;
      this.checksums = checksums;
      this.identity = identity;
      this.arena = arena;
      this.mappedAtNanos = mappedAtNanos;
      this.intact = new AtomicIntegerArray(Math.ceilDiv(checksums.count(), Integer.SIZE));
    }

    MemorySegment bytes() {
      return bytes;
    }

    BlockChecksums checksums() {
      return checksums;
    }

    /// Returns whether a block was found intact.
    boolean isIntact(int block) {
      return (intact.get(block / Integer.SIZE) & 1 << block) != 0;
    }

    /// Remembers that a block is intact.
    void setIntact(int block) {
      intact.getAndUpdate(block / Integer.SIZE, bits -> bits | 1 << block);
    }
  }

  /// Returns an extent as a piece, which the caller passes to [#release].
  ///
  /// @throws IOException if its file is gone, or ends before it
  Piece acquire(StoredTable.Extent extent) throws IOException {
    Path path = path(extent);
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    Identity identity = new Identity(attributes.fileKey(), attributes.lastModifiedTime());
    Place place = place(extent);
    synchronized (this) {
      closeExpired();
      Piece kept = pieces.get(place);
      if (kept != null
          && kept.identity.equals(identity)
          && kept.checksums.equals(extent.checksums())
          && nanoTime.getAsLong() - kept.mappedAtNanos < AGE_MAXIMUM.toNanos()) {
        kept.userCount++;
        pieces.putLast(place, kept);
        return kept;
      }
      forget(place);
      Piece piece = map(extent, path, identity);
      piece.userCount = 1;
      pieces.put(place, piece);
      return piece;
    }
  }

  private static Place place(StoredTable.Extent extent) {
    return new Place(extent.path(), extent.byteOffset(), extent.byteSize());
  }

  private static Path path(StoredTable.Extent extent) throws IOException {
    try {
      return Path.of(extent.path());
    } catch (InvalidPathException e) {
      throw new IOException(e);
    }
  }

  private Piece map(StoredTable.Extent extent, Path path, Identity identity) throws IOException {
    Arena arena = Arena.ofShared();
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      if (extent.byteOffset() > channel.size() - extent.byteSize()) {
        throw new EOFException("Expected " + extent + " but found " + channel.size() + " bytes");
      }
      MemorySegment bytes =
          channel.map(FileChannel.MapMode.READ_ONLY, extent.byteOffset(), extent.byteSize(), arena);
      return new Piece(bytes, extent.checksums(), identity, arena, nanoTime.getAsLong());
    } catch (IOException | RuntimeException e) {
      arena.close();
      throw e;
    }
  }

  /// Takes a piece back.
  synchronized void release(StoredTable.Extent extent, Piece piece) {
    piece.userCount--;
    piece.unusedSinceNanos = nanoTime.getAsLong();
    if (piece.userCount == 0 && pieces.get(place(extent)) != piece) {
      piece.arena.close();
    }
    closeExpired();
  }

  /// Keeps a damaged piece for no further statement, which finds it mended.
  synchronized void drop(StoredTable.Extent extent, Piece piece) {
    pieces.remove(place(extent), piece);
  }

  /// Unmaps what no statement has read for a while.
  synchronized void closeExpired() {
    long now = nanoTime.getAsLong();
    int surplus = pieces.size() - COUNT_MAXIMUM;
    for (Iterator<Piece> all = pieces.values().iterator(); all.hasNext(); ) {
      Piece piece = all.next();
      boolean isExpired = now - piece.unusedSinceNanos >= UNUSED_MAXIMUM.toNanos();
      if (piece.userCount == 0 && (isExpired || surplus > 0)) {
        all.remove();
        piece.arena.close();
        surplus--;
      }
    }
  }

  private void forget(Place place) {
    Piece piece = pieces.remove(place);
    if (piece != null && piece.userCount == 0) {
      piece.arena.close();
    }
  }

  /// Returns the number of pieces that are kept for further statements.
  synchronized int keptCount() {
    return pieces.size();
  }
}
