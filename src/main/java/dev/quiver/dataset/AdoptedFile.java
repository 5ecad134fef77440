package dev.quiver.dataset;

import dev.quiver.storage.BlobStore;
import dev.quiver.storage.BlobUpload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A blob that is a file which is there already, as long as what is written is what the file has at
/// the same place: then nothing is written. From the first difference on it is a blob like others,
/// and so is it where a file cannot be linked.
///
/// Bytes of the file past those that were written belong to such a blob, too.
final class AdoptedFile implements BlobUpload {

  private final BlobStore store;
  private final String key;
  private final Path path;
  private final FileChannel channel;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment contents;
  private long position;
  private @Nullable BlobUpload copy;
  private boolean linked;

  private AdoptedFile(BlobStore store, String key, Path path, FileChannel channel)
      throws IOException {
    this.store = store;
    this.key = key;
    this.path = path;
    this.channel = channel;
    this.contents = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
  }

  /// @param key of the blob
  static AdoptedFile open(BlobStore store, String key, Path path) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    try {
      return new AdoptedFile(store, key, path, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /// All of the file, until this is closed.
  MemorySegment contents() {
    return contents;
  }

  /// Whether everything that was written is in the file.
  boolean isWhole() {
    return copy == null;
  }

  /// Whether the blob that was committed is a link to the file.
  boolean isLinked() {
    return linked;
  }

  /// Makes the blob one like others, whatever is written.
  void copyAll() throws IOException {
    copied();
  }

  @Override
  public long position() {
    return copy == null ? position : copy.position();
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    if (copy == null && isNext(source)) {
      position += source.byteSize();
    } else {
      copied().write(source);
    }
  }

  private boolean isNext(MemorySegment source) {
    return source.byteSize() <= contents.byteSize() - position
        && contents.asSlice(position, source.byteSize()).mismatch(source) < 0;
  }

  private BlobUpload copied() throws IOException {
    BlobUpload started = copy;
    if (started == null) {
      started = store.begin(key);
      copy = started;
      started.write(contents.asSlice(0, position));
    }
    return started;
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena mapArena) throws IOException {
    if (copy != null) {
      return copy.map(byteOffset, byteSize, mapArena);
    }
    Objects.checkFromIndexSize(byteOffset, byteSize, position);
    return channel.map(FileChannel.MapMode.READ_ONLY, byteOffset, byteSize, mapArena);
  }

  @Override
  public boolean commit() throws IOException {
    if (copy == null) {
      linked = store.link(key, path);
      if (linked) {
        return true;
      }
      position = contents.byteSize();
    }
    return copied().commit();
  }

  @Override
  public void close() throws IOException {
    try (channel;
        arena) {
      if (copy != null) {
        copy.close();
      }
    }
  }
}
