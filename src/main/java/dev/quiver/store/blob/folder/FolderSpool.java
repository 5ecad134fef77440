package dev.quiver.store.blob.folder;

import dev.quiver.store.blob.BlobSpool;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// A file in `tmp`.
public final class FolderSpool implements BlobSpool {

  /// The size up to which small writes, such as metadata of messages, are buffered. Large writes
  /// end at a multiple of it, so the file's pages are written whole.
  static final int BUFFER_BYTE_SIZE = 64 << 10;

  private final Path file;
  private final FileChannel channel;
  private final WriteBack writeBack;
  private final ReservedSpace space;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment buffer;
  private int bufferedByteSize;
  private long position;
  private State state = State.WRITING;

  /// @param created the file, closed with this spool
  /// @param writeBack the write-back of the file
  FolderSpool(TemporaryFile created, WriteBack writeBack) {
    this.file = created.path();
    this.channel = created.channel();
    this.writeBack = writeBack;
    this.space = new ReservedSpace(file);
    this.buffer = arena.allocate(BUFFER_BYTE_SIZE);
  }

  /// @param writesBack whether written bytes go to disk early, since they will be made durable
  static FolderSpool create(Path temporary, boolean writesBack) throws IOException {
    TemporaryFile created = TemporaryFile.create(temporary);
    return new FolderSpool(created, new WriteBack(created.channel(), writesBack));
  }

  /// Returns the file, which may be linked until [#end].
  public Path path() {
    return file;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    requireWriting();
    try {
      long byteSize = source.byteSize();
      if (byteSize >= BUFFER_BYTE_SIZE) {
        long rest = (position + byteSize) % BUFFER_BYTE_SIZE;
        writeWithBuffered(source.asSlice(0, byteSize - rest));
        gather(source.asSlice(byteSize - rest));
      } else {
        if (byteSize > BUFFER_BYTE_SIZE - bufferedByteSize) {
          flush();
        }
        gather(source);
      }
      position += byteSize;
      writeBack.written(position);
    } catch (IOException e) {
      throw FolderFailures.translated(e, file);
    }
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena mapArena) throws IOException {
    if (state == State.CLOSED) {
      throw ended();
    }
    Objects.checkFromIndexSize(byteOffset, byteSize, position);
    try {
      flush();
      return channel.map(FileChannel.MapMode.READ_ONLY, byteOffset, byteSize, mapArena);
    } catch (IOException e) {
      throw FolderFailures.translated(e, file);
    }
  }

  /// Flushes everything to the file, which may be linked afterwards.
  ///
  /// @param synced whether to make the file durable
  public void complete(boolean synced) throws IOException {
    requireWriting();
    flush();
    // Removes reserved space; a file that is not longer stays unchanged.
    channel.truncate(position);
    if (synced) {
      writeBack.end();
      channel.force(true);
    }
  }

  /// Ends writing and removes the file. Written bytes can still be mapped.
  public void end() throws IOException {
    if (state == State.WRITING) {
      state = State.ENDED;
      arena.close();
      try (space) {
        Files.deleteIfExists(file);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (channel) {
      end();
    } finally {
      state = State.CLOSED;
    }
  }

  private void gather(MemorySegment source) {
    MemorySegment.copy(source, 0, buffer, bufferedByteSize, source.byteSize());
    bufferedByteSize += (int) source.byteSize();
  }

  private void flush() throws IOException {
    if (bufferedByteSize > 0) {
      writeWithBuffered(MemorySegment.NULL);
    }
  }

  /// Writes the buffer, then `source`.
  private void writeWithBuffered(MemorySegment source) throws IOException {
    ByteBuffer buffered = buffer.asSlice(0, bufferedByteSize).asByteBuffer();
    space.beforeWriting(position - bufferedByteSize, bufferedByteSize + source.byteSize());
    long written = -bufferedByteSize;
    while (written < source.byteSize()) {
      ByteBuffer chunk = Chunks.buffer(source, Math.max(0, written));
      written +=
          buffered.hasRemaining()
              ? channel.write(new ByteBuffer[] {buffered, chunk})
              : channel.write(chunk);
    }
    bufferedByteSize = 0;
  }

  private void requireWriting() {
    if (state != State.WRITING) {
      throw ended();
    }
  }

  private static IllegalStateException ended() {
    return new IllegalStateException("The upload has ended");
  }

  private enum State {
    WRITING,
    ENDED,
    CLOSED
  }
}
