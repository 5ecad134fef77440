package dev.quiver.store.blob.folder;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Disk space reserved for a file ahead of its writes, by Linux's `fallocate`. Otherwise the file
/// system allocates page by page.
///
/// A file reserves at most as much as its current size. It is as long as its reserved space, so it
/// must be truncated at the end. Nothing is reserved if the call is missing, unsupported by the
/// file system or forbidden to the JVM. If the disk is full, the write reports it.
final class ReservedSpace implements AutoCloseable {

  /// The minimum file size for a reservation.
  static final long MINIMUM_BYTE_SIZE = 4 << 20;

  /// The maximum size of one reservation.
  static final long STEP_BYTE_SIZE = 16 << 20;

  private static final int NONE = -1;

  private final Path file;
  private final @Nullable Calls calls = Calls.INSTANCE;

  /// A second descriptor of the file, since a channel does not expose its own.
  private int descriptor = NONE;

  private long end;

  ReservedSpace(Path file) {
    this.file = file;
  }

  /// Reserves space for the next write and more, unless already reserved.
  ///
  /// @param start bytes written so far
  /// @param byteSize bytes to write next
  void beforeWriting(long start, long byteSize) {
    long writtenEnd = start + byteSize;
    if (calls == null || start < MINIMUM_BYTE_SIZE || writtenEnd <= end) {
      return;
    }
    if (descriptor == NONE) {
      descriptor = calls.openForWriting(file);
    }
    long reservedStart = Math.max(start, end);
    long reservedEnd = writtenEnd + Math.min(start, STEP_BYTE_SIZE);
    // A failed call would fail again.
    end =
        calls.reserve(descriptor, reservedStart, reservedEnd - reservedStart)
            ? reservedEnd
            : Long.MAX_VALUE;
  }

  /// Call only after the file was deleted: closing ends all locks that the process has on it.
  @Override
  public void close() {
    if (calls != null && descriptor != NONE) {
      calls.release(descriptor);
      descriptor = NONE;
    }
  }

  /// Functions of the C library.
  private record Calls(MethodHandle open, MethodHandle fallocate, MethodHandle close) {

    /// Null if the functions are missing or forbidden, or their integers have other sizes.
    static final @Nullable Calls INSTANCE =
        System.getProperty("os.name").equals("Linux")
                && ValueLayout.ADDRESS.byteSize() == 8
                && Calls.class.getModule().isNativeAccessEnabled()
            ? link(Linker.nativeLinker())
            : null;

    private static final int O_WRONLY = 1;
    private static final int O_CLOEXEC = 0x80000;

    private static @Nullable Calls link(Linker linker) {
      FunctionDescriptor open =
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT);
      FunctionDescriptor fallocate =
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG);
      FunctionDescriptor close = FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT);
      return linker.defaultLookup().find("fallocate").isEmpty()
          ? null
          : new Calls(
              handle(linker, "open", open, Linker.Option.firstVariadicArg(2)),
              handle(linker, "fallocate", fallocate),
              handle(linker, "close", close));
    }

    private static MethodHandle handle(
        Linker linker, String name, FunctionDescriptor type, Linker.Option... options) {
      return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
    }

    /// @return a descriptor, or a negative number on failure
    int openForWriting(Path file) {
      try (Arena arena = Arena.ofConfined()) {
        return (int) open.invokeExact(arena.allocateFrom(file.toString()), O_WRONLY | O_CLOEXEC);
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    /// @return whether the space is reserved
    boolean reserve(int descriptor, long byteOffset, long byteSize) {
      try {
        return (int) fallocate.invokeExact(descriptor, 0, byteOffset, byteSize) == 0;
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    void release(int descriptor) {
      try {
        int _ = (int) close.invokeExact(descriptor);
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    /// C functions throw nothing.
    private static IllegalStateException unexpected(Throwable e) {
      return new IllegalStateException(e);
    }
  }
}
