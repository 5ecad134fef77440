package dev.quiver.sql.library;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A library that is mapped into this process, for as long as the process lives.
public record Library(
    Databases databases,
    Statements statements,
    Values values,
    LogicalTypes types,
    Vectors vectors,
    TableFunctions tableFunctions) {

  private static final Map<Path, Library> LOADED = new ConcurrentHashMap<>();

  /// Returns the library in a file, which is mapped at the first call.
  ///
  /// @throws IllegalArgumentException if the file is not a library for this platform
  /// @throws UnsatisfiedLinkError if the library lacks a function
  public static Library load(Path file) {
    return LOADED.computeIfAbsent(file.toAbsolutePath(), Library::map);
  }

  private static Library map(Path file) {
    Functions functions = new Functions(SymbolLookup.libraryLookup(file, Arena.global()));
    NativeText text = new NativeText(functions);
    return new Library(
        new Databases(functions),
        new Statements(functions, text),
        new Values(functions, text),
        new LogicalTypes(functions, text),
        new Vectors(functions),
        new TableFunctions(functions));
  }
}
