package dev.quiver.store.blob.s3;

import dev.quiver.arrow.memory.ByteSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// A sink for the bytes of a chunk. Its disk failures are unchecked, which distinguishes them from
/// failures of the store.
final class LocalChunk implements ByteSink, AutoCloseable {

  private final CachedFile file;
  private final FileChannel channel;
  private long position;

  /// @param position the start of the chunk
  LocalChunk(CachedFile file, long position) {
    this.file = file;
    this.position = position;
    try {
      this.channel = file.openForWriting();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void write(MemorySegment source) {
    ByteBuffer bytes = source.asByteBuffer();
    try {
      while (bytes.hasRemaining()) {
        position += channel.write(bytes, position);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Makes the chunk available to readers.
  void add(int number) {
    try {
      file.add(number);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
