package dev.quiver.arrow.parallel;

import dev.quiver.arrow.memory.ByteSink;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A temporary file that stores bytes as they arrive and maps them. It is for data that is too
/// large for memory, and whose length is only declared.
///
/// The file exists from the first write until this is closed. Used by one thread.
public final class ScratchFile implements ByteSink, AutoCloseable {

  private static final long WRITE_BYTE_SIZE = 1 << 20;

  private final Path folder;
  private @Nullable FileChannel channel;
  private long position;

  /// @param folder the folder of the file
  public ScratchFile(Path folder) {
    this.folder = folder;
  }

  /// Returns the number of bytes written since the start or the last [#reset].
  public long position() {
    return position;
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    FileChannel open = open();
    long written = 0;
    while (written < source.byteSize()) {
      long byteSize = Math.min(source.byteSize() - written, WRITE_BYTE_SIZE);
      ByteBuffer part = source.asSlice(written, byteSize).asByteBuffer();
      while (part.hasRemaining()) {
        int count = open.write(part, position);
        position += count;
        written += count;
      }
    }
  }

  /// Maps the bytes written, for as long as `arena` lives, even after this file is closed.
  public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
    return open().map(FileChannel.MapMode.READ_ONLY, byteOffset, byteSize, arena);
  }

  /// Starts over at the beginning of the file. Bytes written so far must no longer be mapped.
  public void reset() {
    position = 0;
  }

  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  private FileChannel open() throws IOException {
    FileChannel present = channel;
    if (present == null) {
      present = create(folder);
      channel = present;
    }
    return present;
  }

  /// Creates a file that is deleted when it is closed or the process ends.
  static FileChannel create(Path folder) throws IOException {
    return FileChannel.open(
        Files.createTempFile(folder, "scratch-", ".tmp"),
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }
}
