package dev.quiver.memory;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// A temporary file that takes bytes as they arrive and gives them back mapped: for what is too
/// large for memory, and whose length is only announced.
///
/// There is no file before the first write; it vanishes when this is closed. Used by one thread.
public final class ScratchFile implements ByteSink, AutoCloseable {

  private static final long WRITE_BYTE_SIZE = 1 << 20;

  private final Path folder;
  private @Nullable FileChannel channel;
  private long position;

  /// @param folder where the file goes
  public ScratchFile(Path folder) {
    this.folder = folder;
  }

  /// Bytes written since the start or the last [#reset].
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

  /// What was written, for as long as `arena` lives, also past this file.
  public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
    return open().map(FileChannel.MapMode.READ_ONLY, byteOffset, byteSize, arena);
  }

  /// Writes over what was written so far, of which nothing may be mapped any more.
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

  /// A new file that vanishes when it is closed, and with the process.
  static FileChannel create(Path folder) throws IOException {
    return FileChannel.open(
        Files.createTempFile(folder, "scratch-", ".tmp"),
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }
}
