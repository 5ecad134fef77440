package dev.quiver.store.write;

import dev.quiver.store.blob.BlobSpool;
import dev.quiver.store.blob.BlobStore;
import dev.quiver.store.blob.BlobUpload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Objects;

/// A local file that can become a blob by a hard link, without a copy. If the store cannot link to
/// it, committing copies it.
///
/// Another process may truncate the file meanwhile. Reading mapped bytes that are gone crashes the
/// JVM, whereas copying them throws an [InternalError].
public final class HardLinkedFile implements BlobUpload {

  private final BlobStore store;
  private final String key;
  private final Path path;
  private final FileChannel channel;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment contents;
  private boolean linked;

  private HardLinkedFile(BlobStore store, String key, Path path, FileChannel channel)
      throws IOException {
    this.store = store;
    this.key = key;
    this.path = path;
    this.channel = channel;
    this.contents = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
  }

  /// Returns an open local file.
  ///
  /// @param key the key of the blob that the file may become
  /// @param channel the file, which is closed with the result
  public static HardLinkedFile of(BlobStore store, String key, Path path, FileChannel channel)
      throws IOException {
    try {
      return new HardLinkedFile(store, key, path, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  String key() {
    return key;
  }

  /// Returns the whole file, valid until this is closed.
  MemorySegment contents() {
    return contents;
  }

  /// Returns whether the file was committed as a link.
  public boolean isLinked() {
    return linked;
  }

  @Override
  public long position() {
    return contents.byteSize();
  }

  /// @throws UnsupportedOperationException always, because the file is complete
  @Override
  public void write(MemorySegment source) {
    throw new UnsupportedOperationException("The file is complete");
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena mapArena) throws IOException {
    Objects.checkFromIndexSize(byteOffset, byteSize, contents.byteSize());
    try (BlobSpool spool = store.spool()) {
      spool.write(contents.asSlice(byteOffset, byteSize));
      return spool.map(0, byteSize, mapArena);
    }
  }

  @Override
  public boolean commit() throws IOException {
    linked = store.link(key, path);
    if (linked) {
      return true;
    }
    try (BlobUpload same = store.begin(key)) {
      same.write(contents);
      return same.commit();
    }
  }

  /// Closes the file. Closing it again has no effect.
  @Override
  public void close() throws IOException {
    try (channel) {
      if (arena.scope().isAlive()) {
        arena.close();
      }
    }
  }
}
