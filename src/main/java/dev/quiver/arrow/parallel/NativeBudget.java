package dev.quiver.arrow.parallel;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/// A budget of native memory that several users share.
final class NativeBudget {

  /// The budget of the process: a quarter of what the JVM allows for buffers outside of its heap.
  static final NativeBudget PROCESS = new NativeBudget(maximumDirectByteSize() / 4);

  private final long byteSize;
  private final AtomicLong remaining;

  NativeBudget(long byteSize) {
    this.byteSize = byteSize;
    this.remaining = new AtomicLong(byteSize);
  }

  /// Returns the bytes of the whole budget.
  long byteSize() {
    return byteSize;
  }

  /// Takes `byteSize` bytes if available. The user must give them back.
  boolean tryTake(long byteSize) {
    long before;
    do {
      before = remaining.get();
      if (before < byteSize) {
        return false;
      }
    } while (!remaining.compareAndSet(before, before - byteSize));
    return true;
  }

  void giveBack(long byteSize) {
    remaining.addAndGet(byteSize);
  }

  long remaining() {
    return remaining.get();
  }

  /// Returns `-XX:MaxDirectMemorySize`, or by default the size of the heap, as the JVM does.
  private static long maximumDirectByteSize() {
    HotSpotDiagnosticMXBean bean =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    long option =
        bean == null ? 0 : Long.parseLong(bean.getVMOption("MaxDirectMemorySize").getValue());
    return option > 0 ? option : Runtime.getRuntime().maxMemory();
  }
}
