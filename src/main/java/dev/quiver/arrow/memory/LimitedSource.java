package dev.quiver.arrow.memory;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// A source that fails past a limit.
public final class LimitedSource implements ByteSource {

  private final ByteSource source;
  private final Limit limit;
  private final String what;
  private long position;

  /// @param what the plural noun of the counted bytes, such as `bytes in a request`
  public LimitedSource(ByteSource source, Limit limit, String what) {
    this.source = source;
    this.limit = limit;
    this.what = what;
  }

  @Override
  public long read(MemorySegment destination) throws IOException {
    return counted(source.read(destination));
  }

  @Override
  public long skip(long maximum) throws IOException {
    return counted(source.skip(maximum));
  }

  private long counted(long count) {
    if (count > 0) {
      position += count;
      limit.check(position, what, InputLocation.UNKNOWN);
    }
    return count;
  }
}
