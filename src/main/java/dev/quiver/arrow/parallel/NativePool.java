package dev.quiver.arrow.parallel;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// A pool of native memory in slabs, which are kept for later users. Shared by threads.
///
/// Unlike a [Pool], which counts objects of one kind, it counts bytes: slabs of several sizes share
/// a budget, and an idle slab is freed where another size needs its bytes.
final class NativePool {

  /// The pool of the process, of which a quarter of the budget may be idle.
  static final NativePool PROCESS =
      new NativePool(NativeBudget.PROCESS, NativeBudget.PROCESS.remaining() / 4);

  private static final int ALIGNMENT = 64;

  private final NativeBudget budget;
  private final long maximumIdleByteSize;
  private final Deque<Slab> idle = new ArrayDeque<>();
  private long idleByteSize;

  /// @param budget pays for slabs that are lent and for idle ones
  NativePool(NativeBudget budget, long maximumIdleByteSize) {
    this.budget = budget;
    this.maximumIdleByteSize = maximumIdleByteSize;
  }

  /// Memory of one user, until it is given back.
  record Slab(Arena arena, MemorySegment memory) {

    long byteSize() {
      return memory.byteSize();
    }
  }

  /// Takes a slab of at least `atLeastByteSize` bytes and at most a quarter more.
  ///
  /// @return the slab, or null if the budget does not allow it
  @Nullable Slab tryTake(long atLeastByteSize) {
    long byteSize = rounded(atLeastByteSize);
    synchronized (this) {
      for (Iterator<Slab> pieces = idle.iterator(); pieces.hasNext(); ) {
        Slab slab = pieces.next();
        if (slab.byteSize() == byteSize) {
          pieces.remove();
          idleByteSize -= byteSize;
          return slab;
        }
      }
      while (!budget.tryTake(byteSize)) {
        if (idle.isEmpty()) {
          return null;
        }
        Slab oldest = idle.removeLast();
        idleByteSize -= oldest.byteSize();
        free(oldest);
      }
    }
    Arena arena = Arena.ofShared();
    try {
      return new Slab(arena, arena.allocate(byteSize, ALIGNMENT));
    } catch (OutOfMemoryError e) {
      arena.close();
      budget.giveBack(byteSize);
      throw e;
    }
  }

  synchronized void giveBack(Slab slab) {
    if (idleByteSize + slab.byteSize() > maximumIdleByteSize) {
      free(slab);
    } else {
      idle.addFirst(slab);
      idleByteSize += slab.byteSize();
    }
  }

  /// Rounds up to one of a few sizes, so that other users can reuse a slab.
  private static long rounded(long byteSize) {
    long step = Math.max(Long.highestOneBit(byteSize) / 4, ALIGNMENT);
    return Math.ceilDiv(byteSize, step) * step;
  }

  private void free(Slab slab) {
    slab.arena().close();
    budget.giveBack(slab.byteSize());
  }
}
