package dev.quiver.store.blob.folder;

import dev.quiver.store.blob.Blob;
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

/// An open file.
///
/// A file of the store with a second hard link belongs to another owner, which may truncate it.
/// Reading a mapping of it would crash the process then, so a mapping of such a file is a copy.
public final class FolderBlob implements Blob {

  /// The maximum size of a copy in memory; larger copies go to disk.
  private static final long MEMORY_BYTE_SIZE = 64 << 10;

  private static final long CHUNK_BYTE_SIZE = 1 << 20;

  private final Path path;
  private final FileChannel channel;
  private final long byteSize;

  /// The folder for copies of shared files, or null if the file is never shared.
  private final @Nullable Path copies;

  /// Opens a file that never changes.
  public FolderBlob(Path path) throws IOException {
    this(path, /* copies= */ null);
  }

  /// @param copies the folder for copies; null for a file that never changes
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
      int count = readSome(Math.addExact(byteOffset, filled), destination, filled);
      if (count < 0) {
        break;
      }
      filled += count;
    }
    return filled;
  }

  private int readSome(long byteOffset, MemorySegment destination, long filled) throws IOException {
    try {
      return channel.read(Chunks.buffer(destination, filled), byteOffset);
    } catch (IOException e) {
      throw FolderFailures.translated(e, path);
    }
  }

  @Override
  public long transferTo(long byteOffset, long byteSize, WritableByteChannel target)
      throws IOException {
    if (byteOffset > channel.size() - byteSize) {
      // The file was truncated; reading reports the position.
      return -1;
    }
    return channel.transferTo(byteOffset, byteSize, target);
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
    // Reading a mapping past the end of the file would crash the process.
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
      // The file was deleted after it was opened, and another owner may still have it.
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
