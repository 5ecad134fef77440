package dev.quiver.query.execution;

import dev.quiver.memory.ByteSource;
import dev.quiver.storage.StorageFullException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// A file in the spool folder, which a worker may read or write. Used by one thread at a time.
public final class SpooledFile implements AutoCloseable {

  private static final int CHUNK_BYTE_SIZE = 1 << 20;

  private final Spool spool;
  private Path path;
  private long byteSize;

  private SpooledFile(Spool spool) throws IOException {
    this.spool = spool;
    this.path = spool.createNamed();
  }

  /// Reads a source to its end.
  ///
  /// @throws dev.quiver.input.TooLargeInputException if the file exceeds the limit by itself
  /// @throws dev.quiver.input.OverloadedException if all spooled files together do
  public static SpooledFile of(ByteSource content, Spool spool) throws IOException {
    SpooledFile file = new SpooledFile(spool);
    try {
      file.write(content);
      return file;
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  private void write(ByteSource content) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE);
        Arena arena = Arena.ofConfined()) {
      MemorySegment chunk = arena.allocate(CHUNK_BYTE_SIZE);
      for (long count = content.readFully(chunk); count > 0; count = content.readFully(chunk)) {
        spool.checkAlone(byteSize + count);
        spool.take(count);
        byteSize += count;
        write(channel, chunk.asSlice(0, count).asByteBuffer());
      }
    }
  }

  private static void write(FileChannel channel, ByteBuffer bytes) throws IOException {
    try {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    } catch (IOException e) {
      throw StorageFullException.recognized(e);
    }
  }

  /// Moves the file to another folder of the spool folder, under the same name.
  public void moveTo(Path folder) throws IOException {
    path = Files.move(path, folder.resolve(path.getFileName()), StandardCopyOption.ATOMIC_MOVE);
  }

  public Path path() {
    return path;
  }

  public long byteSize() {
    return byteSize;
  }

  /// Opens the content from its start.
  public Content open() throws IOException {
    return new Content(FileChannel.open(path, StandardOpenOption.READ));
  }

  /// The content of a file, read once by one thread.
  public static final class Content implements ByteSource, AutoCloseable {

    private final FileChannel channel;
    private volatile long position;

    private Content(FileChannel channel) {
      this.channel = channel;
    }

    /// Returns the number of bytes read so far, which any thread may ask for.
    public long position() {
      return position;
    }

    @Override
    public long read(MemorySegment destination) throws IOException {
      if (destination.byteSize() == 0) {
        return 0;
      }
      long byteSize = Math.min(destination.byteSize(), CHUNK_BYTE_SIZE);
      int count = channel.read(destination.asSlice(0, byteSize).asByteBuffer(), position);
      position += Math.max(count, 0);
      return count;
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      Files.deleteIfExists(path);
    } finally {
      spool.giveBack(byteSize);
      byteSize = 0;
    }
  }
}
