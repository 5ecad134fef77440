package dev.quiver.memory;

import dev.quiver.input.InputLocation;
import dev.quiver.input.Limit;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A source that fails past a limit.
public final class LimitedSource implements ByteSource {

  private final ByteSource source;
  private final Limit limit;
  private long position;

  public LimitedSource(ByteSource source, Limit limit) {
    this.source = source;
    this.limit = limit;
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    long count = source.read(destination);
    if (count > 0) {
      position += count;
      limit.check(position, "bytes in a request", InputLocation.UNKNOWN);
    }
    return count;
  }
}
