package dev.quiver.query.execution;

import dev.quiver.storage.Blob;
import dev.quiver.storage.BlobSink;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A file in use by requests, each of which closes it.
public final class KeptFile implements AutoCloseable {

  private static final long CHUNK_BYTE_SIZE = 1 << 20;

  private final KeptFiles files;
  private final SpooledFile file;

  /// The number of requests that use the file. Guarded by the files.
  int uses = 1;

  KeptFile(KeptFiles files, SpooledFile file) {
    this.files = files;
    this.file = file;
  }

  public long byteSize() {
    return file.byteSize();
  }

  /// Writes a range of the file to `sink`.
  public void write(long byteOffset, long length, BlobSink sink) throws IOException {
    try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.READ)) {
      sink.write(new OpenFile(file.path(), channel, byteSize()), byteOffset, length);
    }
  }

  void delete() {
    try {
      file.close();
    } catch (IOException e) {
      KeptFiles.log(e);
    }
  }

  /// Ends the use by one request.
  @Override
  public void close() {
    files.release(this);
  }

  /// The file while it is read. The caller closes the channel.
  private record OpenFile(Path localPath, FileChannel channel, long byteSize) implements Blob {

    @Override
    public long read(long byteOffset, MemorySegment destination) throws IOException {
      long filled = 0;
      int count = 0;
      while (filled < destination.byteSize() && count >= 0) {
        long chunk = Math.min(CHUNK_BYTE_SIZE, destination.byteSize() - filled);
        count =
            channel.read(
                destination.asSlice(filled, chunk).asByteBuffer(),
                Math.addExact(byteOffset, filled));
        filled += Math.max(count, 0);
      }
      return filled;
    }

    @Override
    public long transferTo(long byteOffset, long length, WritableByteChannel target)
        throws IOException {
      return channel.transferTo(byteOffset, length, target);
    }

    @Override
    public MemorySegment map(long byteOffset, long length, Arena arena) throws IOException {
      return channel.map(FileChannel.MapMode.READ_ONLY, byteOffset, length, arena);
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
