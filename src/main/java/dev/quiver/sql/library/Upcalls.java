package dev.quiver.sql.library;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;

/// Java methods as native functions.
public final class Upcalls {

  private Upcalls() {}

  /// Returns the address of a function that calls `method`, whose arguments are `long`s and which
  /// returns nothing. An exception that leaves the method ends the process.
  ///
  /// @param arena the lifetime of the function
  public static long function(MethodHandle method, Arena arena) {
    MemoryLayout[] arguments =
        Collections.nCopies(method.type().parameterCount(), JAVA_LONG).toArray(MemoryLayout[]::new);
    FunctionDescriptor descriptor = FunctionDescriptor.ofVoid(arguments);
    return Linker.nativeLinker().upcallStub(method, descriptor, arena).address();
  }
}
