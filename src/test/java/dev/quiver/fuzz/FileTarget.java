package dev.quiver.fuzz;

import dev.quiver.arrow.memory.LittleEndian;
import dev.quiver.arrow.type.Schema;
import dev.quiver.golden.Decoded;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A fuzz target that reads and validates a whole file and, if it is valid, checks that it survives
/// rewriting.
public final class FileTarget {

  private FileTarget() {}

  public static void fuzzerTestOneInput(byte[] input) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment file = arena.allocateFrom(LittleEndian.INT8, input);
      Rewriting rewriting = new Rewriting(input);
      Rejections.allow(() -> {
        Schema schema = Decoded.forEachBatchOfFile(file, rewriting::add);
        rewriting.assertRoundTrips(schema);
      });
    }
  }
}
