package dev.quiver.storage.s3;

import dev.quiver.memory.ByteSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// Where the bytes of a chunk go. Failures of the disk are told from those of the store by being
/// unchecked.
final class LocalChunk implements ByteSink, AutoCloseable {

  private final CachedFile file;
  private final FileChannel channel;
  private long position;

  /// @param position where the chunk starts
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

  /// Makes the chunk one that is read.
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
