package dev.quiver.storage.filesystem;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Space of the file system that a file gets ahead of what is written to it, by Linux's
/// `fallocate`: otherwise room is looked for page by page.
///
/// A file gets no more of it than it has. It is as long as its space then, and has to be cut where
/// it ends. Where there is no such call, or the file system has none, or the JVM may not call it,
/// nothing is reserved; that the disk is full, the write tells.
final class ReservedSpace implements AutoCloseable {

  /// Smaller files get none.
  static final long MINIMUM_BYTE_SIZE = 4 << 20;

  /// How much is reserved at once at most.
  static final long STEP_BYTE_SIZE = 16 << 20;

  private static final int NONE = -1;

  private final Path file;
  private final @Nullable Calls calls = Calls.INSTANCE;

  /// The file, once more: a channel does not tell its own descriptor.
  private int descriptor = NONE;

  private long end;

  ReservedSpace(Path file) {
    this.file = file;
  }

  /// Reserves what is written next and more, unless it is reserved already.
  ///
  /// @param start bytes that were written
  /// @param byteSize bytes that are
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
    // What failed once does not get better.
    end =
        calls.reserve(descriptor, reservedStart, reservedEnd - reservedStart)
            ? reservedEnd
            : Long.MAX_VALUE;
  }

  /// To be called when the file is gone: it ends the locks that the process has on it.
  @Override
  public void close() {
    if (calls != null && descriptor != NONE) {
      calls.release(descriptor);
      descriptor = NONE;
    }
  }

  /// Functions of the C library.
  private record Calls(MethodHandle open, MethodHandle fallocate, MethodHandle close) {

    /// Null where there are none, or none may be called, or their numbers have other sizes.
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

    /// @return a descriptor, or a negative number
    int openForWriting(Path file) {
      try (Arena arena = Arena.ofConfined()) {
        return (int) open.invokeExact(arena.allocateFrom(file.toString()), O_WRONLY | O_CLOEXEC);
      } catch (Throwable e) {
        throw unexpected(e);
      }
    }

    /// @return whether it is reserved
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

    /// Functions of C throw nothing.
    private static IllegalStateException unexpected(Throwable e) {
      return new IllegalStateException(e);
    }
  }
}
