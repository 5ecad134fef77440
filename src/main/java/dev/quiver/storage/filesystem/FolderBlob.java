package dev.quiver.storage.filesystem;

import dev.quiver.storage.Blob;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/// A file that is held open.
public final class FolderBlob implements Blob {

  private final Path path;
  private final FileChannel channel;
  private final long byteSize;

  public FolderBlob(Path path) throws IOException {
    this.path = path;
    this.channel = FileChannel.open(path, StandardOpenOption.READ);
    this.byteSize = channel.size();
  }

  @Override
  public long byteSize() {
    return byteSize;
  }

  @Override
  public long read(long byteOffset, MemorySegment destination) throws IOException {
    long filled = 0;
    while (filled < destination.byteSize()) {
      int count =
          channel.read(Chunks.buffer(destination, filled), Math.addExact(byteOffset, filled));
      if (count < 0) {
        break;
      }
      filled += count;
    }
    return filled;
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
    // A file is not mapped past its end, where reading would end the process.
    Objects.checkFromIndexSize(byteOffset, byteSize, channel.size());
    return channel.map(FileChannel.MapMode.READ_ONLY, byteOffset, byteSize, arena);
  }

  @Override
  public Path localPath() {
    return path;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
