package dev.quiver.store.blob.s3;

import dev.quiver.store.blob.ComparedParts;
import dev.quiver.store.blob.folder.FilePermissions;
import dev.quiver.store.blob.folder.FolderBlob;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The local file of a blob. It has the blob's full length from the start, with holes for missing
/// chunks.
final class CachedFile {

  static final long CHUNK_BYTE_SIZE = 8 << 20;

  private final String name;
  private final long byteSize;
  private final Path wholePath;
  private final BitSet present = new BitSet();
  private final ComparedParts compared = new ComparedParts();
  private Path path;
  private boolean created;
  private volatile boolean whole;

  /// The number of users, and the bytes in the file. The cache guards both by its lock.
  int opened;

  long heldByteSize;

  private CachedFile(String name, Path path, Path wholePath, long byteSize) {
    this.name = name;
    this.path = path;
    this.wholePath = wholePath;
    this.byteSize = byteSize;
  }

  static CachedFile partial(String name, Path path, Path wholePath, long byteSize) {
    return new CachedFile(name, path, wholePath, byteSize);
  }

  static CachedFile whole(String name, Path path, long byteSize) {
    CachedFile file = new CachedFile(name, path, path, byteSize);
    file.whole = true;
    return file;
  }

  /// Returns where the file is now. It moves when its last chunk arrives.
  synchronized Path path() {
    return path;
  }

  String name() {
    return name;
  }

  long byteSize() {
    return byteSize;
  }

  boolean isWhole() {
    return whole;
  }

  ComparedParts compared() {
    return compared;
  }

  @Nullable Path wholePath() {
    return whole ? wholePath : null;
  }

  synchronized boolean has(int chunk) {
    return whole || present.get(chunk);
  }

  int chunkCount() {
    return Math.toIntExact(Math.ceilDiv(byteSize, CHUNK_BYTE_SIZE));
  }

  long chunkByteSize(int chunk) {
    return Math.min(CHUNK_BYTE_SIZE, byteSize - chunk * CHUNK_BYTE_SIZE);
  }

  /// Opens the file, in its current folder, to read the available chunks.
  ///
  /// @throws NoSuchFileException if the file was deleted externally
  synchronized FolderBlob open() throws IOException {
    return new FolderBlob(path);
  }

  /// Opens the file to add missing chunks.
  ///
  /// @throws NoSuchFileException if the file was deleted externally; a new one would have holes in
  ///   place of earlier chunks
  synchronized FileChannel openForWriting() throws IOException {
    if (!created) {
      create();
      created = true;
    }
    return FileChannel.open(path, StandardOpenOption.WRITE);
  }

  private void create() throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
            FilePermissions.ofFile(path))) {
      // Writing the last byte makes the rest a hole.
      channel.write(ByteBuffer.allocate(1), byteSize - 1);
    } catch (IOException e) {
      Files.deleteIfExists(path);
      throw e;
    }
  }

  synchronized void delete() throws IOException {
    Files.deleteIfExists(path);
  }

  /// Records a chunk as available. After the last one, the file survives a restart.
  synchronized void add(int chunk) throws IOException {
    present.set(chunk);
    if (!whole && present.cardinality() == chunkCount()) {
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(path, wholePath, StandardCopyOption.ATOMIC_MOVE);
      path = wholePath;
      whole = true;
    }
  }
}
