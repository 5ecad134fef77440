package dev.quiver.server.inspect;

import dev.quiver.arrow.parallel.ScratchMemory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A finished report: a JSON document in working memory, which is released on close.
public final class Report implements AutoCloseable {

  private final ScratchMemory memory;
  private final List<MemorySegment> parts;

  Report(ScratchMemory memory, List<MemorySegment> parts) {
    this.memory = memory;
    this.parts = List.copyOf(parts);
  }

  /// Returns the bytes of the document, which live as long as the report.
  public List<MemorySegment> parts() {
    return parts;
  }

  @Override
  public void close() throws IOException {
    memory.close();
  }
}
