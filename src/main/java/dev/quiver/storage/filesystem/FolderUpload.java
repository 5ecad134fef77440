package dev.quiver.storage.filesystem;

import dev.quiver.storage.BlobUpload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// A file in `tmp` that gets its name by a link.
final class FolderUpload implements BlobUpload {

  /// Small writes, of which the metadata of messages is made, are gathered up to this size.
  private static final int BUFFER_BYTE_SIZE = 64 << 10;

  private final Path target;
  private final Folders folders;
  private final Path file;
  private final FileChannel channel;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment buffer;
  private int bufferedByteSize;
  private long position;
  private boolean ended;

  FolderUpload(Path temporary, Path target, Folders folders) throws IOException {
    this.target = target;
    this.folders = folders;
    TemporaryFile created = TemporaryFile.create(temporary);
    this.file = created.path();
    this.channel = created.channel();
    this.buffer = arena.allocate(BUFFER_BYTE_SIZE);
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    requireOpen();
    try {
      if (source.byteSize() > BUFFER_BYTE_SIZE - bufferedByteSize) {
        flush();
      }
      if (source.byteSize() >= BUFFER_BYTE_SIZE) {
        writeThrough(source);
      } else {
        MemorySegment.copy(source, 0, buffer, bufferedByteSize, source.byteSize());
        bufferedByteSize += (int) source.byteSize();
      }
      position += source.byteSize();
    } catch (IOException e) {
      throw Failures.translated(e, file);
    }
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena mapArena) throws IOException {
    requireOpen();
    Objects.checkFromIndexSize(byteOffset, byteSize, position);
    try {
      flush();
      return channel.map(FileChannel.MapMode.READ_ONLY, byteOffset, byteSize, mapArena);
    } catch (IOException e) {
      throw Failures.translated(e, file);
    }
  }

  @Override
  public boolean commit() throws IOException {
    requireOpen();
    try {
      flush();
      channel.force(true);
      Path folder = Objects.requireNonNull(target.getParent());
      folders.create(folder);
      boolean linked = link();
      // Also when the key existed, so that whoever is told so can rely on the blob that is there.
      folders.sync(folder);
      return linked;
    } catch (IOException e) {
      throw Failures.translated(e, file);
    } finally {
      close();
    }
  }

  @Override
  public void close() throws IOException {
    if (ended) {
      return;
    }
    ended = true;
    try (arena;
        channel) {
      Files.deleteIfExists(file);
    }
  }

  private boolean link() throws IOException {
    try {
      Files.createLink(target, file);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  private void flush() throws IOException {
    if (bufferedByteSize > 0) {
      writeThrough(buffer.asSlice(0, bufferedByteSize));
      bufferedByteSize = 0;
    }
  }

  private void writeThrough(MemorySegment source) throws IOException {
    long written = 0;
    while (written < source.byteSize()) {
      ByteBuffer chunk = Chunks.buffer(source, written);
      written += channel.write(chunk);
    }
  }

  private void requireOpen() {
    if (ended) {
      throw new IllegalStateException("The upload has ended");
    }
  }
}
