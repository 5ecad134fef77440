package dev.quiver.store.file;

import dev.quiver.arrow.codec.Crc32c;
import dev.quiver.arrow.parallel.CpuPool;
import dev.quiver.store.blob.Blob;
import dev.quiver.store.blob.BlockChecksums;
import dev.quiver.store.blob.BlockChecksums.Block;
import dev.quiver.store.blob.ComparedParts;
import dev.quiver.store.version.ByteRange;
import dev.quiver.store.version.Damage;
import dev.quiver.store.version.DamagedBlobException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// A blob of which each read is checked against the checksums of its blocks, never remembered as
/// good. Bytes that the operating system moves are checked only if they were fetched from a remote
/// store, and then once.
///
/// A read of a part of a block reads the whole block, which stays in a buffer for the next part. If
/// a local copy of a remote blob is damaged, it is fetched again, and the store's own bytes decide.
final class CheckedBlob implements Blob {

  /// The size of a block that is not buffered: only the end of a file in a manifest is so large.
  /// Such a block is checked once, before its first read.
  private static final int BUFFERED_BYTE_SIZE_MAXIMUM = 1 << 20;

  private static final int PART_BYTE_SIZE = 64 << 10;

  private final Blob blob;
  private final String key;
  private final String version;
  private final Checksums checksums;
  private final BlockBuffer buffer;
  private @Nullable BlockChecksums loaded;
  private boolean largeIsIntact;

  /// The checksums of a blob, which are loaded on first use.
  interface Checksums {
    BlockChecksums load() throws IOException;
  }

  /// @param version the version that is read, such as `cities@3`
  CheckedBlob(Blob blob, String key, String version, Checksums checksums, BlockBuffer buffer) {
    this.blob = blob;
    this.key = key;
    this.version = version;
    this.checksums = checksums;
    this.buffer = buffer;
  }

  @Override
  public long byteSize() {
    return blob.byteSize();
  }

  /// @throws DamagedBlobException if one of the blocks is damaged
  @Override
  public long read(long byteOffset, MemorySegment destination) throws IOException {
    long end = Math.min(byteSize(), byteOffset + destination.byteSize());
    BlockChecksums blocks = blocks();
    long position = byteOffset;
    int index = blocks.firstEndingAfter(position);
    while (position < end) {
      long blockStart = index < blocks.count() ? blocks.block(index).byteOffset() : end;
      MemorySegment rest = destination.asSlice(position - byteOffset, end - position);
      if (blockStart > position) {
        // No block has these.
        long count = Math.min(blockStart, end) - position;
        blob.readFully(position, rest.asSlice(0, count));
        position += count;
        continue;
      }
      int after = endOfWhole(blocks, index, position, end);
      if (after > index) {
        long count = blocks.block(after - 1).end() - position;
        blob.readFully(position, rest.asSlice(0, count));
        for (; index < after; index++) {
          Block block = blocks.block(index);
          requireIntact(block, rest.asSlice(block.byteOffset() - position, block.byteSize()));
        }
        position += count;
      } else {
        Block block = blocks.block(index);
        long count = Math.min(block.end(), end) - position;
        readPart(index, block, position, rest.asSlice(0, count));
        position += count;
        index++;
      }
    }
    return Math.max(0, end - byteOffset);
  }

  /// Returns the index after the last block in a row that begins at a position and lies before
  /// `end`.
  private static int endOfWhole(BlockChecksums blocks, int index, long position, long end) {
    long wholeEnd = position;
    int after = index;
    while (after < blocks.count()) {
      Block block = blocks.block(after);
      if (block.byteOffset() != wholeEnd || block.end() > end) {
        break;
      }
      wholeEnd = block.end();
      after++;
    }
    return after;
  }

  private void readPart(int index, Block block, long byteOffset, MemorySegment destination)
      throws IOException {
    if (block.byteSize() > BUFFERED_BYTE_SIZE_MAXIMUM) {
      requireLargeIntact(block);
      blob.readFully(byteOffset, destination);
      return;
    }
    synchronized (buffer) {
      MemorySegment bytes = buffer.find(this, index);
      if (bytes == null) {
        bytes = buffer.reserve(block.byteSize());
        blob.readFully(block.byteOffset(), bytes);
        requireIntact(block, bytes);
        buffer.keep(this, index);
      }
      MemorySegment.copy(
          bytes, byteOffset - block.byteOffset(), destination, 0, destination.byteSize());
    }
  }

  /// @param bytes all bytes of the block, which are read again if a local copy is damaged
  private void requireIntact(Block block, MemorySegment bytes) throws IOException {
    if (Crc32c.of(bytes) == block.checksum()) {
      return;
    }
    if (blob.refetch()) {
      blob.readFully(block.byteOffset(), bytes);
      if (Crc32c.of(bytes) == block.checksum()) {
        return;
      }
    }
    throw damaged(block);
  }

  private synchronized void requireLargeIntact(Block block) throws IOException {
    if (largeIsIntact) {
      return;
    }
    if (checksum(block, MemorySegment.NULL, block.end()) != block.checksum()
        && !(blob.refetch()
            && checksum(block, MemorySegment.NULL, block.end()) == block.checksum())) {
      throw damaged(block);
    }
    largeIsIntact = true;
  }

  private DamagedBlobException damaged(Block block) {
    return Damage.PROCESS.found(version, key, block.byteOffset());
  }

  /// @return -1 also if a block of the local copy is damaged: a read finds out more
  @Override
  public long transferTo(long byteOffset, long byteSize, WritableByteChannel target)
      throws IOException {
    buffer.release();
    ComparedParts compared = blob.comparedParts();
    if (compared != null && !isFetchedIntact(byteOffset, byteSize, compared)) {
      return -1;
    }
    return blob.transferTo(byteOffset, byteSize, target);
  }

  /// Returns whether the blocks of a range have been compared in the local copy, or are intact
  /// there now.
  private boolean isFetchedIntact(long byteOffset, long byteSize, ComparedParts compared)
      throws IOException {
    BlockChecksums blocks = blocks();
    int first = blocks.firstEndingAfter(byteOffset);
    long rangeEnd = byteOffset + byteSize;
    int last = blocks.firstEndingAfter(rangeEnd - 1);
    boolean hasLast = last < blocks.count() && blocks.block(last).byteOffset() < rangeEnd;
    int end = hasLast ? last + 1 : last;
    if (compared.contains(first, end)) {
      return true;
    }
    long start = blocks.block(first).byteOffset();
    long length = blocks.block(end - 1).end() - start;
    if (blob.localPath(start, length) == null) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = blob.map(start, length, arena);
      // If another reader has replaced the local copy, that is yet to be compared.
      if (firstDamaged(copy, start, List.of(new ByteRange(0, length))) != null
          || blob.comparedParts() != compared) {
        return false;
      }
    }
    compared.add(first, end);
    return true;
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
    return map(byteOffset, byteSize, arena, List.of(new ByteRange(0, byteSize)));
  }

  /// Maps a range as [#map(long, long, Arena)] does, but checks only the blocks of some bytes.
  ///
  /// @param used the ranges to check, from `byteOffset` on
  /// @throws DamagedBlobException if one of their blocks is damaged
  MemorySegment map(long byteOffset, long byteSize, Arena arena, List<ByteRange> used)
      throws IOException {
    MemorySegment mapped = blob.map(byteOffset, byteSize, arena);
    Block damaged = firstDamaged(mapped, byteOffset, used);
    if (damaged != null && blob.refetch()) {
      mapped = blob.map(byteOffset, byteSize, arena);
      damaged = firstDamaged(mapped, byteOffset, used);
    }
    if (damaged != null) {
      throw damaged(damaged);
    }
    return mapped;
  }

  /// Maps a range as [#map(long, long, Arena, List)] does, but leaves it to another thread to
  /// compare most of the blocks.
  ///
  /// @throws DamagedBlobException if a block that reaches beyond the range is damaged
  UncheckedBody mapUnchecked(long byteOffset, long byteSize, Arena arena, List<ByteRange> used)
      throws IOException {
    MemorySegment mapped = blob.map(byteOffset, byteSize, arena);
    List<Block> within = new ArrayList<>();
    for (Block block : blocksOf(byteOffset, used)) {
      if (block.byteOffset() >= byteOffset && block.end() <= byteOffset + byteSize) {
        within.add(block);
      } else if (checksum(block, mapped, byteOffset) != block.checksum()) {
        return UncheckedBody.ofIntact(map(byteOffset, byteSize, arena, used));
      }
    }
    return new UncheckedBody(mapped, CpuPool.lent(mapped), byteOffset, within);
  }

  private @Nullable Block firstDamaged(MemorySegment mapped, long byteOffset, List<ByteRange> used)
      throws IOException {
    for (Block block : blocksOf(byteOffset, used)) {
      if (checksum(block, mapped, byteOffset) != block.checksum()) {
        return block;
      }
    }
    return null;
  }

  /// Returns the blocks of some bytes, each once.
  ///
  /// @param used ranges from `byteOffset` on
  private List<Block> blocksOf(long byteOffset, List<ByteRange> used) throws IOException {
    BlockChecksums blocks = blocks();
    BitSet found = new BitSet();
    int first = blocks.firstEndingAfter(byteOffset);
    for (ByteRange range : used) {
      long end = byteOffset + range.end();
      int index = blocks.firstEndingAfter(byteOffset + range.byteOffset());
      for (; index < blocks.count() && blocks.block(index).byteOffset() < end; index++) {
        found.set(index - first);
      }
    }
    return found.stream().mapToObj(index -> blocks.block(first + index)).toList();
  }

  /// Returns the checksum that a block has now.
  ///
  /// @param mapped the bytes from `byteOffset` on; others of the block are read
  private int checksum(Block block, MemorySegment mapped, long byteOffset) throws IOException {
    long from = Math.clamp(block.byteOffset() - byteOffset, 0, mapped.byteSize());
    long to = Math.clamp(block.end() - byteOffset, from, mapped.byteSize());
    if (to - from == block.byteSize()) {
      return Crc32c.of(mapped.asSlice(from, to - from));
    }
    CRC32C checksum = new CRC32C();
    update(checksum, block.byteOffset(), Math.min(byteOffset, block.end()));
    Crc32c.update(checksum, mapped.asSlice(from, to - from));
    update(checksum, Math.max(block.byteOffset(), byteOffset + mapped.byteSize()), block.end());
    return (int) checksum.getValue();
  }

  private void update(CRC32C checksum, long from, long to) throws IOException {
    MemorySegment part = MemorySegment.ofArray(new byte[PART_BYTE_SIZE]);
    for (long position = from; position < to; ) {
      MemorySegment bytes = part.asSlice(0, Math.min(PART_BYTE_SIZE, to - position));
      blob.readFully(position, bytes);
      Crc32c.update(checksum, bytes);
      position += bytes.byteSize();
    }
  }

  /// Returns the checksum that a range had when it was written, if its blocks are intact: only
  /// blocks of which it has a part are read.
  ///
  /// @throws DamagedBlobException if one of those is damaged
  @Nullable Integer checksum(long byteOffset, long byteSize) throws IOException {
    BlockChecksums blocks = blocks();
    long end = byteOffset + byteSize;
    int checksum = 0;
    int index = blocks.firstEndingAfter(byteOffset);
    for (long position = byteOffset; position < end; index++) {
      if (index == blocks.count() || blocks.block(index).byteOffset() > position) {
        return null;
      }
      Block block = blocks.block(index);
      long count = Math.min(block.end(), end) - position;
      int part = block.checksum();
      if (count < block.byteSize()) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(count)]);
        readPart(index, block, position, bytes);
        part = Crc32c.of(bytes);
      }
      checksum = Crc32c.joined(checksum, part, count);
      position += count;
    }
    return checksum;
  }

  /// Returns the checksums of the blocks within a range, with offsets from its start.
  BlockChecksums blocksWithin(long byteOffset, long byteSize) throws IOException {
    return blocks().within(byteOffset, byteSize);
  }

  /// Loads the checksums.
  void load() throws IOException {
    blocks();
  }

  private synchronized BlockChecksums blocks() throws IOException {
    BlockChecksums present = loaded;
    if (present == null) {
      present = checksums.load();
      loaded = present;
    }
    return present;
  }

  @Override
  public boolean refetch() throws IOException {
    return blob.refetch();
  }

  @Override
  public @Nullable ComparedParts comparedParts() {
    return blob.comparedParts();
  }

  @Override
  public @Nullable Path localPath() {
    return blob.localPath();
  }

  @Override
  public @Nullable Path localPath(long byteOffset, long byteSize) throws IOException {
    return blob.localPath(byteOffset, byteSize);
  }

  @Override
  public void close() throws IOException {
    blob.close();
  }
}
