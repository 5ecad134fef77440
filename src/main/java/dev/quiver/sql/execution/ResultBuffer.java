package dev.quiver.sql.execution;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.arrow.memory.InputLocation;
import dev.quiver.arrow.memory.Limit;
import dev.quiver.arrow.parallel.Cancellation;
import dev.quiver.store.blob.Spool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The bytes of a result between a worker, which writes them as fast as it can, and a client, which
/// reads them as slowly as it likes. Past [#MEMORY_BYTE_SIZE], they wait in a file.
///
/// One thread writes, another one reads.
public final class ResultBuffer implements ByteSource, AutoCloseable {

  /// The bytes that wait in memory.
  static final int MEMORY_BYTE_SIZE = 1 << 20;

  /// The time after which a waiting reader checks again whether its client has left.
  private static final long LOOK_MILLIS = 250;

  private final Spool spool;
  private final Spool.Charge charge;
  private final Limit limit;
  private final Cancellation cancellation = Cancellation.current();
  private final Arena arena = Arena.ofShared();

  /// A ring of the bytes that wait in memory. It is not written to while bytes wait in the file,
  /// since those follow.
  private final MemorySegment ring = arena.allocate(MEMORY_BYTE_SIZE);

  private long ringStart;
  private long ringByteSize;
  private @Nullable FileChannel file;
  private long fileRead;
  private long fileWritten;

  private long received;
  private boolean ended;
  private boolean closed;
  private @Nullable RuntimeException failure;

  /// @param spool the folder of the file
  /// @param limit the limit on the bytes of the result
  public ResultBuffer(Spool spool, Limit limit) {
    this.spool = spool;
    this.charge = spool.open(/* isBody= */ false);
    this.limit = limit;
  }

  /// Adds bytes.
  ///
  /// @return whether the reader still wants them
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the result exceeds its limit
  synchronized boolean write(MemorySegment bytes) throws IOException {
    if (closed) {
      return false;
    }
    received += bytes.byteSize();
    limit.check(received, "bytes of a result", InputLocation.UNKNOWN);
    boolean fits = bytes.byteSize() <= MEMORY_BYTE_SIZE - ringByteSize;
    if (fits && fileRead == fileWritten) {
      writeToRing(bytes);
    } else {
      writeToFile(bytes);
    }
    notifyAll();
    return true;
  }

  private void writeToRing(MemorySegment bytes) {
    long end = (ringStart + ringByteSize) % MEMORY_BYTE_SIZE;
    long first = Math.min(bytes.byteSize(), MEMORY_BYTE_SIZE - end);
    MemorySegment.copy(bytes, 0, ring, end, first);
    MemorySegment.copy(bytes, first, ring, 0, bytes.byteSize() - first);
    ringByteSize += bytes.byteSize();
  }

  private void writeToFile(MemorySegment bytes) throws IOException {
    FileChannel present = file;
    if (present == null) {
      present = spool.create();
      file = present;
    }
    if (fileRead == fileWritten) {
      fileRead = 0;
      fileWritten = 0;
    }
    charge.take(Math.max(0, fileWritten + bytes.byteSize() - charge.byteSize()));
    ByteBuffer buffer = bytes.asByteBuffer();
    while (buffer.hasRemaining()) {
      fileWritten += present.write(buffer, fileWritten);
    }
  }

  /// Ends the result.
  ///
  /// @param cause why it is incomplete, or null
  synchronized void end(@Nullable RuntimeException cause) {
    ended = true;
    failure = cause;
    notifyAll();
  }

  /// Waits until much of the result is here, some of it is here for a while, or it has ended, so
  /// that a failure at the start can still be reported.
  ///
  /// @throws RuntimeException the failure, if the result has failed
  public synchronized void awaitStart(Duration patience) throws IOException {
    while (!ended && received == 0) {
      look();
    }
    long end = System.nanoTime() + patience.toNanos();
    long nanos = patience.toNanos();
    while (!ended && received < MEMORY_BYTE_SIZE && nanos > 0) {
      waitFor(Math.min(nanos / 1_000_000 + 1, LOOK_MILLIS));
      nanos = end - System.nanoTime();
    }
    if (failure != null) {
      throw failure;
    }
  }

  /// Waits for a change, and looks whether the client has left.
  private void look() throws IOException {
    waitFor(LOOK_MILLIS);
    if (!ended) {
      cancellation.throwIfRequested();
    }
  }

  private void waitFor(long millis) throws IOException {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /// Reads the next bytes, and waits for them.
  ///
  /// @throws RuntimeException the failure of the result, after the bytes before it
  @Override
  public synchronized long read(MemorySegment destination) throws IOException {
    if (destination.byteSize() == 0) {
      return 0;
    }
    while (ringByteSize == 0 && fileRead == fileWritten && !ended) {
      look();
    }
    if (ringByteSize > 0) {
      return readFromRing(destination);
    }
    if (fileRead < fileWritten) {
      return readFromFile(destination);
    }
    if (failure != null) {
      throw failure;
    }
    return -1;
  }

  private long readFromRing(MemorySegment destination) {
    long count = Math.min(destination.byteSize(), ringByteSize);
    count = Math.min(count, MEMORY_BYTE_SIZE - ringStart);
    MemorySegment.copy(ring, ringStart, destination, 0, count);
    ringStart = (ringStart + count) % MEMORY_BYTE_SIZE;
    ringByteSize -= count;
    return count;
  }

  private long readFromFile(MemorySegment destination) throws IOException {
    FileChannel present = file;
    if (present == null) {
      throw new IllegalStateException("The result has no file");
    }
    long count = Math.min(destination.byteSize(), fileWritten - fileRead);
    ByteBuffer buffer = destination.asSlice(0, Math.min(count, MEMORY_BYTE_SIZE)).asByteBuffer();
    int read = present.read(buffer, fileRead);
    fileRead += read;
    return read;
  }

  /// Discards the result. Writing it ends.
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    notifyAll();
    arena.close();
    try {
      if (file != null) {
        file.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      charge.close();
    }
  }
}
