package dev.quiver.server.inspect;

import dev.quiver.arrow.parallel.ScratchMemory;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.json.JsonFactory;

/// A spool of JSON values, one per line, in working memory, so that a report is never held as
/// objects.
///
/// The first value that exceeds the budget, and all later ones, are omitted and counted.
final class ReportSpool extends OutputStream {

  private static final int CHUNK_BYTE_SIZE = 16 << 10;
  private static final JsonFactory JSON = new JsonFactory();
  private static final byte[] SEPARATOR = ",\n".getBytes(StandardCharsets.US_ASCII);

  private final ScratchMemory memory;
  private final ReportBudget budget;
  private final List<MemorySegment> chunks = new ArrayList<>();
  private long byteSize;
  private long count;
  private long omitted;

  ReportSpool(ScratchMemory memory, ReportBudget budget) {
    this.memory = memory;
    this.budget = budget;
  }

  /// Adds a value if it fits.
  void add(Consumer<JsonGenerator> value) {
    if (omitted > 0) {
      omitted++;
      return;
    }
    long start = byteSize;
    try {
      if (count > 0) {
        write(SEPARATOR, 0, SEPARATOR.length);
      }
      JsonGenerator generator = JSON.createGenerator(this);
      value.accept(generator);
      generator.close();
      count++;
    } catch (FullException e) {
      budget.giveBack(byteSize - start);
      byteSize = start;
      omitted++;
    }
  }

  /// Returns the number of omitted values.
  long omitted() {
    return omitted;
  }

  long byteSize() {
    return byteSize;
  }

  List<MemorySegment> parts() {
    List<MemorySegment> parts = new ArrayList<>();
    long remaining = byteSize;
    for (MemorySegment chunk : chunks) {
      if (remaining > 0) {
        parts.add(chunk.asSlice(0, Math.min(remaining, CHUNK_BYTE_SIZE)));
        remaining -= parts.getLast().byteSize();
      }
    }
    return parts;
  }

  @Override
  public void write(int value) {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int length) {
    if (!budget.tryTake(length)) {
      throw new FullException();
    }
    int written = 0;
    while (written < length) {
      int chunk = Math.toIntExact(byteSize / CHUNK_BYTE_SIZE);
      int start = (int) (byteSize % CHUNK_BYTE_SIZE);
      if (chunk == chunks.size()) {
        chunks.add(memory.allocate(CHUNK_BYTE_SIZE, 1));
      }
      int part = Math.min(length - written, CHUNK_BYTE_SIZE - start);
      MemorySegment.copy(
          source, offset + written, chunks.get(chunk), ValueLayout.JAVA_BYTE, start, part);
      byteSize += part;
      written += part;
    }
  }

  /// Thrown internally once the budget is exhausted.
  private static final class FullException extends RuntimeException {

    private static final long serialVersionUID = 1;

    FullException() {
      super("The report is full", null, false, false);
    }
  }
}
