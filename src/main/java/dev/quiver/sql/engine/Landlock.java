package dev.quiver.sql.engine;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Linux's Landlock: a thread gives up rights for good, and so do the threads that it starts.
///
/// A restricted thread opens no files, in any of its code, and no TCP connections. It keeps the
/// files that are open, and other threads of the process keep their rights. See `linux/landlock.h`.
public final class Landlock {

  private static final long CREATE_RULESET = 444;
  private static final long ADD_RULE = 445;
  private static final long RESTRICT_SELF = 446;
  private static final long CREATE_RULESET_VERSION = 1;
  private static final long RULE_PATH_BENEATH = 1;

  private static final long PRCTL = isArm() ? 167 : 157;
  private static final long OPENAT = isArm() ? 56 : 257;
  private static final long CLOSE = isArm() ? 57 : 3;
  private static final long SET_NO_NEW_PRIVILEGES = 38;
  private static final long AT_WORKING_DIRECTORY = -100;
  private static final long PATH_ONLY_CLOSE_ON_EXEC = 0x200000 | 0x80000;

  private static final long READ_FILE = 1 << 2;
  private static final long READ_DIRECTORY = 1 << 3;
  private static final long WRITE_FILE = 1 << 1;
  private static final long REMOVE_FILE = 1 << 5;
  private static final long MAKE_FILE = 1 << 8;
  private static final long TRUNCATE = 1 << 14;

  /// The number of rights to files that each version of the interface knows, from version 1 on.
  private static final int[] FILE_RIGHT_COUNTS = {13, 14, 15, 15, 16};

  /// Files with facts about the machine that the engine and the Java runtime must know. An engine
  /// ends the process if it finds the first of them but cannot read it.
  private static final List<String> SYSTEM_PATHS =
      List.of(
          "/proc/self/cgroup",
          "/sys/fs/cgroup",
          "/sys/devices/system/cpu",
          "/proc/stat",
          "/proc/meminfo",
          "/dev/urandom",
          "/dev/random");

  private static final int NETWORK_VERSION = 4;
  private static final long ALL_NETWORK_RIGHTS = 3;

  /// The size of a rule: the rights, then the descriptor.
  private static final long RULE_BYTE_SIZE = Long.BYTES + Integer.BYTES;

  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO_VALUE =
      CAPTURED.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private Landlock() {}

  /// Restricts the calling thread, and the threads that it starts from now on.
  ///
  /// Classes can still be loaded: the class path and the Java runtime stay readable, as do the
  /// kernel's numbers about processors and memory.
  ///
  /// @param writableFolders folders in which files can be created, written, read and deleted
  /// @return whether the kernel restricts the thread; false if it lacks Landlock
  /// @throws IOException if a folder cannot be opened, or the kernel rejects a rule
  public static boolean restrictCurrentThread(List<Path> writableFolders) throws IOException {
    if (!System.getProperty("os.name").equals("Linux")) {
      return false;
    }
    try (Arena arena = Arena.ofConfined()) {
      SystemCalls calls = new SystemCalls(arena);
      long version = calls.tryCall(CREATE_RULESET, 0, 0, CREATE_RULESET_VERSION, 0);
      if (version < 1) {
        return false;
      }
      long rights = fileRights((int) version);
      MemorySegment attributes = arena.allocate(2 * Long.BYTES, Long.BYTES);
      attributes.set(JAVA_LONG, 0, rights);
      attributes.set(JAVA_LONG, Long.BYTES, ALL_NETWORK_RIGHTS);
      long attributesByteSize = version < NETWORK_VERSION ? Long.BYTES : 2 * Long.BYTES;
      long ruleset = calls.call(CREATE_RULESET, attributes.address(), attributesByteSize, 0, 0);
      try {
        for (Path path : readablePaths()) {
          calls.allow(ruleset, path, READ_FILE | (Files.isDirectory(path) ? READ_DIRECTORY : 0));
        }
        for (Path folder : writableFolders) {
          long write = READ_FILE | READ_DIRECTORY | WRITE_FILE | REMOVE_FILE | MAKE_FILE | TRUNCATE;
          calls.allow(ruleset, folder, write & rights);
        }
        calls.call(PRCTL, SET_NO_NEW_PRIVILEGES, 1, 0, 0);
        calls.call(RESTRICT_SELF, ruleset, 0, 0, 0);
      } finally {
        calls.call(CLOSE, ruleset, 0, 0, 0);
      }
      return true;
    }
  }

  /// Returns all rights to files that the version knows. Later ones are not handled.
  private static long fileRights(int version) {
    int count = FILE_RIGHT_COUNTS[Math.min(version, FILE_RIGHT_COUNTS.length) - 1];
    return (1L << count) - 1;
  }

  private static List<Path> readablePaths() throws IOException {
    Path runtime = Path.of(System.getProperty("java.home"));
    List<Path> paths = new ArrayList<>(List.of(runtime));
    // Packages of Linux distributions keep the runtime's configuration elsewhere.
    try (Stream<Path> files = Files.walk(runtime.resolve("conf"))) {
      files.filter(Files::isSymbolicLink).forEach(paths::add);
    }
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      paths.add(Path.of(entry));
    }
    SYSTEM_PATHS.forEach(path -> paths.add(Path.of(path)));
    return paths.stream().filter(path -> !path.toString().isEmpty() && Files.exists(path)).toList();
  }

  private static boolean isArm() {
    return System.getProperty("os.arch").equals("aarch64");
  }

  /// Calls of the kernel by number.
  private record SystemCalls(Arena arena, MethodHandle syscall, MemorySegment captured) {

    SystemCalls(Arena arena) {
      this(
          arena,
          Linker.nativeLinker()
              .downcallHandle(
                  Linker.nativeLinker().defaultLookup().findOrThrow("syscall"),
                  FunctionDescriptor.of(
                      JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                  Linker.Option.firstVariadicArg(1),
                  ERRNO),
          arena.allocate(CAPTURED));
    }

    /// Returns the result, which is -1 after an error.
    long tryCall(long number, long a, long b, long c, long d) {
      try {
        return (long) syscall.invokeExact(captured, number, a, b, c, d, 0L);
      } catch (Throwable e) {
        throw new IllegalStateException(e);
      }
    }

    long call(long number, long a, long b, long c, long d) throws IOException {
      long result = tryCall(number, a, b, c, d);
      if (result < 0) {
        int error = (int) ERRNO_VALUE.get(captured, 0L);
        throw new IOException("System call %d failed with error %d".formatted(number, error));
      }
      return result;
    }

    void allow(long ruleset, Path path, long rights) throws IOException {
      long name = arena.allocateFrom(path.toAbsolutePath().toString()).address();
      long descriptor = call(OPENAT, AT_WORKING_DIRECTORY, name, PATH_ONLY_CLOSE_ON_EXEC, 0);
      try {
        MemorySegment rule = arena.allocate(RULE_BYTE_SIZE, Long.BYTES);
        rule.set(JAVA_LONG, 0, rights);
        rule.set(JAVA_INT, Long.BYTES, (int) descriptor);
        call(ADD_RULE, ruleset, RULE_PATH_BENEATH, rule.address(), 0);
      } finally {
        call(CLOSE, descriptor, 0, 0, 0);
      }
    }
  }
}
