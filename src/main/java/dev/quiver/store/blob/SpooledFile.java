package dev.quiver.store.blob;

import dev.quiver.arrow.memory.ByteSink;
import dev.quiver.arrow.memory.ByteSource;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/// A file in the spool folder, which a worker may read or write. Used by one thread at a time.
public final class SpooledFile implements AutoCloseable {

  private static final int CHUNK_BYTE_SIZE = 1 << 20;

  /// The bytes that are charged ahead of the worker's writes.
  private static final long AHEAD_BYTE_SIZE = 16 << 20;

  private final Spool spool;
  private final Spool.Charge charge;
  private Path path;

  private SpooledFile(Spool spool, Spool.Charge charge, Path path) {
    this.spool = spool;
    this.charge = charge;
    this.path = path;
  }

  /// Reads a received body to its end.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the file exceeds the limit by itself
  /// @throws dev.quiver.arrow.parallel.OverloadedException if all spooled files together do
  public static SpooledFile of(ByteSource content, Spool spool) throws IOException {
    return written(
        spool.open(/* isBody= */ true),
        sink -> {
          try (Arena arena = Arena.ofConfined()) {
            MemorySegment chunk = arena.allocate(CHUNK_BYTE_SIZE);
            for (long count = content.readFully(chunk);
                count > 0;
                count = content.readFully(chunk)) {
              sink.write(chunk.asSlice(0, count));
            }
          }
        },
        spool);
  }

  /// Writes the content of a file.
  @FunctionalInterface
  public interface ContentWriter {

    void writeTo(ByteSink sink) throws IOException;
  }

  /// Creates a file with a content.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the file exceeds the limit by itself
  /// @throws dev.quiver.arrow.parallel.OverloadedException if all spooled files together do
  public static SpooledFile written(ContentWriter content, Spool spool) throws IOException {
    return written(spool.open(/* isBody= */ false), content, spool);
  }

  /// Creates a file with a part of a received body.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the file exceeds the limit by itself
  /// @throws dev.quiver.arrow.parallel.OverloadedException if all spooled files together do
  public static SpooledFile received(ContentWriter content, Spool spool) throws IOException {
    return written(spool.open(/* isBody= */ true), content, spool);
  }

  private static SpooledFile written(Spool.Charge charge, ContentWriter content, Spool spool)
      throws IOException {
    SpooledFile file = new SpooledFile(spool, charge, spool.createNamed());
    try (FileChannel channel = FileChannel.open(file.path, StandardOpenOption.WRITE)) {
      content.writeTo(bytes -> file.write(bytes, channel));
      return file;
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /// Returns a file that a worker is about to write in its folder.
  public static SpooledFile ofWorker(Path folder, Spool spool) {
    return new SpooledFile(spool, spool.open(/* isBody= */ false), folder.resolve("written"));
  }

  private void write(MemorySegment bytes, FileChannel channel) throws IOException {
    charge.take(bytes.byteSize());
    write(channel, bytes.asByteBuffer());
  }

  /// Charges what the worker has written since, and some of what follows.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the file exceeds the limit by itself
  /// @throws dev.quiver.arrow.parallel.OverloadedException if all spooled files together do
  public void chargeWritten() throws IOException {
    long written = Files.exists(path) ? Files.size(path) : 0;
    charge.check(written);
    if (written + AHEAD_BYTE_SIZE / 2 > charge.byteSize()) {
      long ahead = Math.min(written + AHEAD_BYTE_SIZE, charge.maximum());
      charge.take(Math.max(0, ahead - charge.byteSize()));
    }
  }

  /// Charges exactly what the worker has written, now that it is done, and moves the file out of
  /// its reach.
  ///
  /// @throws dev.quiver.arrow.memory.TooLargeInputException if the file exceeds the limit by itself
  /// @throws dev.quiver.arrow.parallel.OverloadedException if all spooled files together do
  public void takeFromWorker() throws IOException {
    long written = Files.size(path);
    if (written < charge.byteSize()) {
      charge.giveBack(charge.byteSize() - written);
    } else {
      charge.take(written - charge.byteSize());
    }
    path = Files.move(path, spool.createNamed(), StandardCopyOption.ATOMIC_MOVE);
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

  /// Returns the bytes that are charged: the size of a whole file.
  public long byteSize() {
    return charge.byteSize();
  }

  /// Charges the service in place of the claimant that wrote the file.
  void disown() {
    charge.disown();
  }

  /// Charges the claimant of this thread in place of the service.
  ///
  /// @throws dev.quiver.arrow.parallel.OverloadedException if its files in use would exceed its
  ///   share
  void own() {
    charge.own();
  }

  /// Writes a range of the file to `sink`.
  public void write(long byteOffset, long length, BlobSink sink) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      sink.write(new OpenFile(path, channel, byteSize()), byteOffset, length);
    }
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

  @Override
  public void close() throws IOException {
    try {
      Files.deleteIfExists(path);
    } finally {
      charge.close();
    }
  }
}
