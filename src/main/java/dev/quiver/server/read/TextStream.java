package dev.quiver.server.read;

import dev.quiver.arrow.memory.ByteSink;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/// The sink of a response that renders a text, which notes how long it waits for its client. One
/// thread writes, and others ask whether it is slow.
final class TextStream implements ByteSink {

  private final ByteSink sink;
  private final LongSupplier nanoTime;
  private final long start;
  private long waitedNanos;
  private long waitStart;
  private boolean waiting;

  TextStream(ByteSink sink) {
    this(sink, System::nanoTime);
  }

  TextStream(ByteSink sink, LongSupplier nanoTime) {
    this.sink = sink;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    startWaiting();
    try {
      sink.write(source);
    } finally {
      endWaiting();
    }
  }

  private synchronized void startWaiting() {
    waiting = true;
    waitStart = nanoTime.getAsLong();
  }

  private synchronized void endWaiting() {
    waiting = false;
    waitedNanos += nanoTime.getAsLong() - waitStart;
  }

  /// Returns whether the response has waited for its client for more than half of its time, not
  /// counting `patienceNanos`.
  synchronized boolean isSlow(long patienceNanos) {
    long now = nanoTime.getAsLong();
    long waited = waitedNanos + (waiting ? now - waitStart : 0);
    return waited - (now - start) / 2 > patienceNanos;
  }
}
