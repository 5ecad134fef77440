package dev.quiver.storage.filesystem;

import dev.quiver.storage.Blob;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A file that is held open.
///
/// One of a store that has another name, too, is somebody else's, who may cut it: to read what is
/// mapped then would end the process. What is mapped of it is a copy.
public final class FolderBlob implements Blob {

  /// What a copy may take of memory rather than of the disk.
  private static final long MEMORY_BYTE_SIZE = 64 << 10;

  private static final long CHUNK_BYTE_SIZE = 1 << 20;

  private final Path path;
  private final FileChannel channel;
  private final long byteSize;

  /// Where to copy what is mapped, should somebody else have the file; null when nobody can.
  private final @Nullable Path copies;

  /// A file that nobody changes.
  public FolderBlob(Path path) throws IOException {
    this(path, /* copies= */ null);
  }

  /// @param copies the folder for them; null for a file that nobody changes
  FolderBlob(Path path, @Nullable Path copies) throws IOException {
    this.path = path;
    this.channel = FileChannel.open(path, StandardOpenOption.READ);
    this.byteSize = channel.size();
    this.copies = copies;
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
  public long transferTo(long byteOffset, long byteSize, WritableByteChannel target)
      throws IOException {
    if (byteOffset > channel.size() - byteSize) {
      // Somebody has cut the file; reading says where.
      return -1;
    }
    return channel.transferTo(byteOffset, byteSize, target);
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
    // A file is not mapped past its end, where reading would end the process.
    Objects.checkFromIndexSize(byteOffset, byteSize, channel.size());
    return copies != null && isShared(path)
        ? copy(byteOffset, byteSize, arena, copies)
        : channel.map(FileChannel.MapMode.READ_ONLY, byteOffset, byteSize, arena);
  }

  private static boolean isShared(Path path) throws IOException {
    try {
      return path.getFileSystem().supportedFileAttributeViews().contains("unix")
          && !Integer.valueOf(1).equals(Files.getAttribute(path, "unix:nlink"));
    } catch (NoSuchFileException e) {
      // It was deleted since it was opened, and somebody may have it.
      return true;
    }
  }

  private MemorySegment copy(long byteOffset, long byteSize, Arena arena, Path folder)
      throws IOException {
    if (byteSize <= MEMORY_BYTE_SIZE) {
      MemorySegment copy = arena.allocate(byteSize, Long.BYTES);
      readFully(byteOffset, copy);
      return copy.asReadOnly();
    }
    MemorySegment chunk = MemorySegment.ofArray(new byte[(int) CHUNK_BYTE_SIZE]);
    try (FolderSpool spool = FolderSpool.create(folder, /* writesBack= */ false)) {
      while (spool.position() < byteSize) {
        long count = Math.min(CHUNK_BYTE_SIZE, byteSize - spool.position());
        MemorySegment part = chunk.asSlice(0, count);
        readFully(byteOffset + spool.position(), part);
        spool.write(part);
      }
      return spool.map(0, byteSize, arena);
    }
  }

  @Override
  public void readFully(long byteOffset, MemorySegment destination) throws IOException {
    long count = read(byteOffset, destination);
    if (count < destination.byteSize()) {
      throw new IOException(
          "Expected %d bytes but found %d at byte offset %d of %s"
              .formatted(destination.byteSize(), count, byteOffset, path));
    }
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
