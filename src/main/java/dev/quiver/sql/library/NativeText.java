package dev.quiver.sql.library;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Texts of C, which end with a zero.
final class NativeText {

  private final MemorySegment free;

  NativeText(Functions functions) {
    free = functions.find("free");
  }

  /// Returns the text at an address, or null for the address 0.
  static @Nullable String read(long address) {
    return address == 0 ? null : NativeMemory.text(address);
  }

  /// Returns the text at an address, and frees its memory. The address 0 is an empty text.
  String take(long address) {
    String text = read(address);
    Downcalls.call(free, address);
    return text == null ? "" : text;
  }
}
