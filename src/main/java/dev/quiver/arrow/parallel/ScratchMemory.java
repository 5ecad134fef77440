package dev.quiver.arrow.parallel;

import dev.quiver.arrow.memory.Padding;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Working memory of any size: native memory as long as the budget of the process lasts, then a
/// mapped temporary file.
///
/// Allocations are slices of slabs, so that the number of maps of a process does not limit theirs.
/// Their content is undefined at first. Used by one thread, or if shared, by one at a time.
public final class ScratchMemory implements SegmentAllocator, AutoCloseable {

  private static final long NATIVE_SLAB_BYTE_SIZE = 256 << 10;

  /// The first slab of a file is the smallest, so that many small users do not fill the disk. Later
  /// ones are as large as all before, so that a large user needs few maps.
  private static final long FILE_SLAB_BYTE_SIZE_MINIMUM = 1 << 20;

  private static final long FILE_SLAB_BYTE_SIZE_MAXIMUM = 16 << 20;
  private static final int SLAB_ALIGNMENT = 64;

  private final Path folder;
  private final NativePool pool;
  private final boolean isShared;
  private Arena arena;
  private MemorySegment slab = MemorySegment.NULL;
  private int slabCount;
  private long slabPosition;
  private long usedByteSize;
  private final List<NativePool.Slab> taken = new ArrayList<>();
  private long firstSlabByteSize;
  private @Nullable FileChannel file;
  private long filePosition;
  private long fileByteSize;

  /// Allocates nothing yet.
  ///
  /// @param folder the folder of the file, if one is needed; the file vanishes when this is closed,
  ///   and with the process
  public ScratchMemory(Path folder) {
    this(folder, NativePool.PROCESS, false);
  }

  ScratchMemory(Path folder, NativePool pool) {
    this(folder, pool, false);
  }

  private ScratchMemory(Path folder, NativePool pool, boolean isShared) {
    this.folder = folder;
    this.pool = pool;
    this.isShared = isShared;
    this.arena = newArena();
  }

  /// Returns memory in which several threads allocate, and read what others wrote, one after the
  /// other. To release it takes longer.
  ///
  /// @param folder the folder of the file, as in the constructor
  public static ScratchMemory shared(Path folder) {
    return new ScratchMemory(folder, NativePool.PROCESS, true);
  }

  /// Returns memory until the next [#reset], at most 64-byte aligned.
  ///
  /// @throws UncheckedIOException if the memory needs a file and writing it fails
  @Override
  public MemorySegment allocate(long byteSize, long byteAlignment) {
    if (byteSize < 0 || byteAlignment > SLAB_ALIGNMENT) {
      throw new IllegalArgumentException(
          "Cannot allocate " + byteSize + " bytes aligned to " + byteAlignment);
    }
    long start = Padding.padded(slabPosition, (int) byteAlignment);
    if (byteSize > slab.byteSize() - start) {
      addSlab(byteSize);
      start = 0;
    }
    slabPosition = start + byteSize;
    usedByteSize += Padding.padded(byteSize, SLAB_ALIGNMENT);
    return slab.asSlice(start, byteSize);
  }

  /// Returns the native memory that one of several users should take at most: an eighth of the
  /// budget of the process.
  public static long shareByteSize() {
    return NativeBudget.PROCESS.byteSize() / 8;
  }

  /// Returns the number of bytes allocated since the last [#reset].
  public long usedByteSize() {
    return usedByteSize;
  }

  /// Returns the number of bytes that the file takes on disk, until this is closed.
  long fileByteSize() {
    return fileByteSize;
  }

  /// Releases all allocations.
  public void reset() {
    // After a use of several slabs, the next use gets a single, slightly larger one and keeps it.
    if (slabCount > 1) {
      release();
      firstSlabByteSize = usedByteSize + usedByteSize / 8;
    }
    slabPosition = 0;
    usedByteSize = 0;
  }

  @Override
  public void close() throws IOException {
    release();
    arena.close();
    if (file != null) {
      file.close();
    }
  }

  private void addSlab(long atLeastByteSize) {
    long wantedByteSize = Math.max(atLeastByteSize, slabCount == 0 ? firstSlabByteSize : 0);
    long nativeByteSize = Math.max(wantedByteSize, NATIVE_SLAB_BYTE_SIZE);
    try {
      NativePool.Slab piece = pool.tryTake(nativeByteSize);
      if (piece == null) {
        long growing =
            Math.clamp(usedByteSize, FILE_SLAB_BYTE_SIZE_MINIMUM, FILE_SLAB_BYTE_SIZE_MAXIMUM);
        slab = map(Math.max(wantedByteSize, growing));
      } else {
        taken.add(piece);
        // Allocations end with this arena, although the slab itself is reused.
        slab = piece.memory().reinterpret(arena, null);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    slabCount++;
  }

  private void release() {
    arena.close();
    arena = newArena();
    slab = MemorySegment.NULL;
    slabCount = 0;
    slabPosition = 0;
    filePosition = 0;
    taken.forEach(pool::giveBack);
    taken.clear();
  }

  private Arena newArena() {
    return isShared ? Arena.ofShared() : Arena.ofConfined();
  }

  private MemorySegment map(long byteSize) throws IOException {
    FileChannel channel = file;
    if (channel == null) {
      channel = ScratchFile.create(folder);
      file = channel;
    }
    long end = Padding.padded(Math.addExact(filePosition, byteSize), SLAB_ALIGNMENT);
    writeUpTo(channel, end);
    MemorySegment mapped =
        channel.map(FileChannel.MapMode.READ_WRITE, filePosition, byteSize, arena);
    filePosition = end;
    return mapped;
  }

  /// Allocates every byte of the file on disk. In a file with holes, a full disk would show only on
  /// access to the memory: as a signal that ends the process, or as an unexpected error.
  private void writeUpTo(FileChannel channel, long end) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect(64 << 10);
    while (fileByteSize < end) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), end - fileByteSize));
      fileByteSize += channel.write(zeros, fileByteSize);
    }
  }
}
