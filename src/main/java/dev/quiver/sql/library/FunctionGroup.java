package dev.quiver.sql.library;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Functions of the library that belong together.
abstract class FunctionGroup {

  private static final int SUCCESS = 0;

  private final Functions functions;

  FunctionGroup(Functions functions) {
    this.functions = functions;
  }

  /// @throws UnsatisfiedLinkError if the library lacks the function
  final MemorySegment find(String name) {
    return functions.find(name);
  }

  /// Returns whether the result of a function reports success.
  static boolean succeeds(long state) {
    return (int) state == SUCCESS;
  }

  /// Destroys an object by its address. The function takes a pointer to that.
  static void destroy(MemorySegment function, long object) {
    try (Arena arena = Arena.ofConfined()) {
      Downcalls.call(function, arena.allocateFrom(ValueLayout.JAVA_LONG, object).address());
    }
  }
}
