package dev.quiver.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/// How much native memory may be taken at a time, by whoever shares the budget.
///
/// Some of what was given back is kept, since memory that is new costs as much as compressing into
/// it does: the system and the platform clear it first.
final class NativeBudget {

  /// The budget of the process: a quarter of what the JVM allows for buffers outside of its heap.
  static final NativeBudget PROCESS = new NativeBudget(maximumDirectByteSize() / 4);

  private static final int ALIGNMENT = 64;
  private static final long KEPT_BYTE_SIZE_MAXIMUM = 64 << 20;

  private final long byteSize;
  private final Deque<Slab> kept = new ArrayDeque<>();
  private long takenByteSize;
  private long keptByteSize;

  NativeBudget(long byteSize) {
    this.byteSize = byteSize;
  }

  /// Memory that one user has at a time.
  ///
  /// @param memory whose content may be anything
  record Slab(Arena arena, MemorySegment memory) {

    private static Slab allocate(long byteSize) {
      Arena arena = Arena.ofShared();
      return new Slab(arena, arena.allocate(byteSize, ALIGNMENT));
    }

    long byteSize() {
      return memory.byteSize();
    }
  }

  /// Takes memory, to be given back, or nothing when there is not enough.
  ///
  /// @param wantedByteSize what it has at least
  @Nullable Slab tryTake(long wantedByteSize) {
    long newByteSize;
    synchronized (this) {
      Slab slab = pollKept(wantedByteSize);
      if (slab != null) {
        takenByteSize += slab.byteSize();
        return slab;
      }
      long remaining = remaining();
      if (remaining < wantedByteSize) {
        return null;
      }
      newByteSize = Math.min(rounded(wantedByteSize), remaining);
      takenByteSize += newByteSize;
      freeKept(byteSize - takenByteSize);
    }
    try {
      return Slab.allocate(newByteSize);
    } catch (OutOfMemoryError e) {
      synchronized (this) {
        takenByteSize -= newByteSize;
      }
      throw e;
    }
  }

  synchronized void giveBack(Slab slab) {
    takenByteSize -= slab.byteSize();
    kept.addFirst(slab);
    keptByteSize += slab.byteSize();
    freeKept(Math.min(byteSize / 4, KEPT_BYTE_SIZE_MAXIMUM));
  }

  /// What there is for all.
  long byteSize() {
    return byteSize;
  }

  /// What may still be taken.
  synchronized long remaining() {
    return byteSize - takenByteSize;
  }

  /// The one given back last that is large enough, and not by far too large.
  private @Nullable Slab pollKept(long wantedByteSize) {
    for (Iterator<Slab> slabs = kept.iterator(); slabs.hasNext(); ) {
      Slab slab = slabs.next();
      if (slab.byteSize() >= wantedByteSize && slab.byteSize() / 2 <= wantedByteSize) {
        slabs.remove();
        keptByteSize -= slab.byteSize();
        return slab;
      }
    }
    return null;
  }

  private void freeKept(long allowedByteSize) {
    while (keptByteSize > allowedByteSize) {
      Slab slab = kept.removeLast();
      keptByteSize -= slab.byteSize();
      slab.arena.close();
    }
  }

  /// One of few sizes, at most a quarter larger, so that slabs suit others, too.
  private static long rounded(long byteSize) {
    long step = Math.max(Long.highestOneBit(byteSize) / 4, ALIGNMENT);
    return Math.ceilDiv(byteSize, step) * step;
  }

  /// `-XX:MaxDirectMemorySize`, or without it the size of the heap, as the JVM does it.
  private static long maximumDirectByteSize() {
    HotSpotDiagnosticMXBean bean =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long option =
        bean == null ? 0 : Long.parseLong(bean.getVMOption("MaxDirectMemorySize").getValue());
    return option > 0 ? option : Runtime.getRuntime().maxMemory();
  }
}
