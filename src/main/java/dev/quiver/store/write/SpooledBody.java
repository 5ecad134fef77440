package dev.quiver.store.write;

import dev.quiver.arrow.memory.ByteSource;
import dev.quiver.store.blob.BlobSpool;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A body kept until its use is decided, and deleted when this is closed.
///
/// Like an upload in progress, it takes space in the store. Used by one thread.
public final class SpooledBody implements AutoCloseable {

  private static final int CHUNK_BYTE_SIZE = 1 << 16;

  private final BlobSpool spool;
  private final Arena arena = Arena.ofConfined();

  private SpooledBody(BlobSpool spool) {
    this.spool = spool;
  }

  /// Reads `body` to its end.
  public static SpooledBody of(ByteSource body, BlobSpool spool) throws IOException {
    SpooledBody spooled = new SpooledBody(spool);
    boolean complete = false;
    try {
      MemorySegment chunk = MemorySegment.ofArray(new byte[CHUNK_BYTE_SIZE]);
      for (long count = body.read(chunk); count >= 0; count = body.read(chunk)) {
        spool.write(chunk.asSlice(0, count));
      }
      complete = true;
      return spooled;
    } finally {
      if (!complete) {
        spooled.close();
      }
    }
  }

  /// Returns the body from its start, valid until this is closed.
  public ByteSource source() throws IOException {
    long byteSize = spool.position();
    return ByteSource.of(byteSize == 0 ? MemorySegment.NULL : spool.map(0, byteSize, arena));
  }

  @Override
  public void close() throws IOException {
    arena.close();
    spool.close();
  }
}
