package dev.quiver.sql.library;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;

/// Calls of native functions by their address.
///
/// A handle belongs to a signature, not to a function: it takes the address as its first argument.
/// So all handles are `static final`, which lets the JIT compiler inline them, although the library
/// is found at run time. Few handles also start faster, as each one is compiled by the linker.
///
/// All arguments are 64-bit integers. Pointers, integers and booleans of C are passed in the same
/// registers on each platform that has a library, and a callee reads the bits that it declares. A
/// caller drops the surplus bits of a result, and the result of a `void` function.
final class Downcalls {

  private static final Linker LINKER = Linker.nativeLinker();

  private static final MethodHandle CALL_0 = handle(descriptor(0));
  private static final MethodHandle CALL_1 = handle(descriptor(1));
  private static final MethodHandle CALL_2 = handle(descriptor(2));
  private static final MethodHandle CALL_3 = handle(descriptor(3));
  private static final MethodHandle CALL_4 = handle(descriptor(4));
  private static final MethodHandle CALL_6 = handle(descriptor(6));
  private static final MethodHandle BRIEF_1 = handle(descriptor(1), Linker.Option.critical(false));
  private static final MethodHandle BRIEF_2 = handle(descriptor(2), Linker.Option.critical(false));

  private Downcalls() {}

  /// Returns a handle whose first argument is the address of the function.
  static MethodHandle handle(FunctionDescriptor descriptor, Linker.Option... options) {
    return LINKER.downcallHandle(descriptor, options);
  }

  static long call(MemorySegment function) {
    try {
      return (long) CALL_0.invokeExact(function);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static long call(MemorySegment function, long a) {
    try {
      return (long) CALL_1.invokeExact(function, a);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static long call(MemorySegment function, long a, long b) {
    try {
      return (long) CALL_2.invokeExact(function, a, b);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static long call(MemorySegment function, long a, long b, long c) {
    try {
      return (long) CALL_3.invokeExact(function, a, b, c);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static long call(MemorySegment function, long a, long b, long c, long d) {
    try {
      return (long) CALL_4.invokeExact(function, a, b, c, d);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  static long call(MemorySegment function, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) CALL_6.invokeExact(function, a, b, c, d, e, f);
    } catch (Throwable failure) {
      throw failure(failure);
    }
  }

  /// Calls a function that returns at once and never calls back. The thread stays in its state,
  /// which takes a fraction of the time.
  static long callBriefly(MemorySegment function, long a) {
    try {
      return (long) BRIEF_1.invokeExact(function, a);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /// Calls a function of two arguments like [#callBriefly(MemorySegment, long)].
  static long callBriefly(MemorySegment function, long a, long b) {
    try {
      return (long) BRIEF_2.invokeExact(function, a, b);
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  /// Returns the failure of a call, which native functions themselves never cause.
  static RuntimeException failure(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    return failure instanceof RuntimeException exception
        ? exception
        : new IllegalStateException(failure);
  }

  private static FunctionDescriptor descriptor(int argumentCount) {
    MemoryLayout[] arguments = new MemoryLayout[argumentCount];
    Arrays.fill(arguments, JAVA_LONG);
    return FunctionDescriptor.of(JAVA_LONG, arguments);
  }
}
