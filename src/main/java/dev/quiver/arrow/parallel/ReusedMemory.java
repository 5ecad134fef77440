package dev.quiver.arrow.parallel;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import org.jspecify.annotations.Nullable;

/// Native memory that a request uses for one body after the other, and other requests afterwards:
/// its pages are already mapped.
///
/// It grows to the size of a body, as long as the process has memory to spare, and counts as bytes
/// in flight. Its content is undefined at first. Used by one thread.
public final class ReusedMemory implements AutoCloseable {

  /// The maximum for one request.
  public static final long MAXIMUM_BYTE_SIZE = 16 << 20;

  /// The minimum for one request.
  public static final long MINIMUM_BYTE_SIZE = 1 << 20;

  private static final int ALIGNMENT = 64;

  private final InFlightBytes.Charge charge;
  private final SegmentAllocator fallback;
  private final NativePool pool;
  private NativePool.@Nullable Slab lent;
  private MemorySegment own = MemorySegment.NULL;

  /// Takes nothing yet.
  ///
  /// @param charge pays for the memory
  /// @param fallback provides [#MINIMUM_BYTE_SIZE] when the process has no memory to spare
  public ReusedMemory(InFlightBytes.Charge charge, SegmentAllocator fallback) {
    this(charge, fallback, NativePool.PROCESS);
  }

  ReusedMemory(InFlightBytes.Charge charge, SegmentAllocator fallback, NativePool pool) {
    this.charge = charge;
    this.fallback = fallback;
    this.pool = pool;
  }

  /// Returns memory of at least `byteSize` bytes if available, or else of at least
  /// [#MINIMUM_BYTE_SIZE]. Memory returned before must no longer be used.
  public MemorySegment of(long byteSize) {
    MemorySegment present = present();
    if (present.byteSize() >= Math.max(byteSize, MINIMUM_BYTE_SIZE)) {
      return present;
    }
    long wanted = Math.clamp(byteSize, MINIMUM_BYTE_SIZE, MAXIMUM_BYTE_SIZE);
    long rounded = Long.highestOneBit(2 * wanted - 1);
    while (rounded > present.byteSize() && !take(rounded)) {
      rounded /= 2;
    }
    if (present().byteSize() < MINIMUM_BYTE_SIZE) {
      own = fallback.allocate(MINIMUM_BYTE_SIZE, ALIGNMENT);
    }
    return present();
  }

  /// Returns the memory to the pool.
  @Override
  public void close() {
    if (lent != null) {
      charge.giveBack(lent.byteSize());
      pool.giveBack(lent);
      lent = null;
    }
  }

  private MemorySegment present() {
    return lent == null ? own : lent.memory();
  }

  private boolean take(long byteSize) {
    if (byteSize < MINIMUM_BYTE_SIZE || !charge.tryTake(byteSize)) {
      return false;
    }
    NativePool.Slab larger = pool.tryTake(byteSize);
    if (larger == null) {
      charge.giveBack(byteSize);
      return false;
    }
    close();
    lent = larger;
    return true;
  }
}
