package dev.quiver.sql.library;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;

/// The functions of a mapped library, by their names without the prefix.
record Functions(SymbolLookup symbols) {

  private static final String PREFIX = "duckdb_";

  /// @throws UnsatisfiedLinkError if the library is another version without the function
  MemorySegment find(String name) {
    return symbols
        .find(PREFIX + name)
        .orElseThrow(() ->
            new UnsatisfiedLinkError(
                "Expected the function " + PREFIX + name + " but the library lacks it"));
  }
}
