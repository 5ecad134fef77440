package dev.quiver.dataset.ingest;

import dev.quiver.columnar.Metadata;
import dev.quiver.dataset.catalog.WriteTransaction;
import dev.quiver.dataset.file.FileLayout;
import dev.quiver.dataset.file.WrittenFile;
import dev.quiver.dataset.version.BlobExtent;
import dev.quiver.storage.BlobStore;
import dev.quiver.storage.BlobUpload;
import dev.quiver.storage.Spool;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An upload of what a file has already: nothing is written as long as each message is where it is
/// expected, byte for byte, and the blob is the file in the end. What comes before the first of
/// these, the schema, may be different, and is then a small blob of its own. With any other
/// difference all becomes a blob like others.
///
/// Whoever writes the file may cut it meanwhile. To look at mapped bytes that are gone ends the
/// process, unless they are copied; then it is an [InternalError].
///
/// Positions are those of what is written; [#extents] says where that is.
public final class HardLinkedFile implements BlobUpload {

  private static final int COMPARED_BYTE_SIZE = 64 << 10;

  private final BlobStore store;
  private final String key;
  private final String headKey;
  private final Path path;
  private final FileChannel channel;
  private final Arena arena = Arena.ofConfined();
  private final MemorySegment contents;
  private final MemorySegment written = MemorySegment.ofArray(new byte[COMPARED_BYTE_SIZE]);
  private final MemorySegment there = MemorySegment.ofArray(new byte[COMPARED_BYTE_SIZE]);
  private final List<MappedRange> pieces = new ArrayList<>();
  private long position;

  /// Where in the file the next bytes are expected.
  private long fileOffset;

  private boolean isInHead = true;
  private @Nullable BlobUpload head;
  private long headByteSize;
  private @Nullable BlobUpload copy;
  private boolean headCommitted;
  private boolean linked;

  private HardLinkedFile(
      BlobStore store, String key, String headKey, Path path, FileChannel channel)
      throws IOException {
    this.store = store;
    this.key = key;
    this.headKey = headKey;
    this.path = path;
    this.channel = channel;
    this.contents = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
  }

  /// @param key of the blob
  /// @param headKey of the one that has what is different
  public static HardLinkedFile open(BlobStore store, String key, String headKey, Path path)
      throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    try {
      return new HardLinkedFile(store, key, headKey, path, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /// All of the file, until this is closed.
  MemorySegment contents() {
    return contents;
  }

  /// Says where in the file the message is that is written next.
  void expect(long byteOffset) {
    isInHead = false;
    fileOffset = byteOffset;
  }

  /// Whether the blob is the file, with the end that it has.
  boolean isAdopted() {
    return copy == null;
  }

  /// Whether the blob that was committed is a link to the file.
  public boolean isLinked() {
    return linked;
  }

  /// Makes the blob one like others, whatever is written.
  void copyAll() throws IOException {
    copied();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    if (copy != null) {
      copy.write(source);
    } else if (isInHead && (head != null || !isNext(source))) {
      head().write(source);
      headByteSize = position + source.byteSize();
    } else if (isNext(source)) {
      add(source.byteSize());
    } else {
      copied().write(source);
    }
    position += source.byteSize();
  }

  private boolean isNext(MemorySegment source) {
    if (source.byteSize() > contents.byteSize() - fileOffset) {
      return false;
    }
    for (long done = 0; done < source.byteSize(); ) {
      long count = Math.min(COMPARED_BYTE_SIZE, source.byteSize() - done);
      MemorySegment.copy(source, done, written, 0, count);
      MemorySegment.copy(contents, fileOffset + done, there, 0, count);
      if (there.asSlice(0, count).mismatch(written.asSlice(0, count)) >= 0) {
        return false;
      }
      done += count;
    }
    return true;
  }

  private void add(long byteSize) {
    MappedRange last = pieces.isEmpty() ? null : pieces.getLast();
    if (last != null && last.fileOffset + last.byteSize == fileOffset) {
      pieces.set(
          pieces.size() - 1,
          new MappedRange(last.position, last.fileOffset, last.byteSize + byteSize));
    } else {
      pieces.add(new MappedRange(position, fileOffset, byteSize));
    }
    fileOffset += byteSize;
  }

  private BlobUpload head() throws IOException {
    BlobUpload started = head;
    if (started == null) {
      started = store.begin(headKey);
      head = started;
      started.write(contents.asSlice(0, position));
      pieces.clear();
    }
    return started;
  }

  private BlobUpload copied() throws IOException {
    BlobUpload started = copy;
    if (started == null) {
      started = store.begin(key);
      copy = started;
      if (head != null) {
        try (Arena mapped = Arena.ofConfined()) {
          started.write(head.map(0, headByteSize, mapped));
        }
        head.close();
        head = null;
      }
      for (MappedRange piece : pieces) {
        started.write(contents.asSlice(piece.fileOffset, piece.byteSize));
      }
    }
    return started;
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena mapArena) throws IOException {
    Objects.checkFromIndexSize(byteOffset, byteSize, position);
    if (copy != null) {
      return copy.map(byteOffset, byteSize, mapArena);
    }
    for (MappedRange piece : pieces) {
      long start = byteOffset - piece.position;
      if (start >= 0 && start + byteSize <= piece.byteSize) {
        try (Spool spool = store.spool()) {
          spool.write(contents.asSlice(piece.fileOffset + start, byteSize));
          return spool.map(0, byteSize, mapArena);
        }
      }
    }
    if (head != null && byteOffset + byteSize <= headByteSize) {
      return head.map(byteOffset, byteSize, mapArena);
    }
    throw new IllegalArgumentException("No message has these bytes");
  }

  /// Where what was written is.
  ///
  /// @param asWritten ranges of the blob as if it were one like others
  public List<BlobExtent> extents(List<BlobExtent> asWritten) {
    if (copy != null) {
      return asWritten;
    }
    List<BlobExtent> found = new ArrayList<>();
    for (BlobExtent extent : asWritten) {
      if (head != null) {
        add(found, extent, new MappedRange(0, 0, headByteSize), headKey);
      }
      for (MappedRange piece : pieces) {
        add(found, extent, piece, key);
      }
    }
    return found;
  }

  /// Adds what an extent has of a piece.
  private static void add(
      List<BlobExtent> found, BlobExtent extent, MappedRange piece, String pieceKey) {
    long start = Math.max(extent.byteOffset(), piece.position);
    long end = Math.min(extent.byteOffset() + extent.byteSize(), piece.position + piece.byteSize);
    if (start < end) {
      found.add(new BlobExtent(pieceKey, piece.fileOffset + start - piece.position, end - start));
    }
  }

  @Override
  public boolean commit() throws IOException {
    if (copy != null) {
      return copy.commit();
    }
    linked = store.link(key, path);
    if (linked) {
      return true;
    }
    try (BlobUpload same = store.begin(key)) {
      same.write(contents);
      return same.commit();
    }
  }

  /// Commits what is different, as a file without record batches, once.
  public void commitHead(WrittenFile file, WriteTransaction transaction) throws IOException {
    if (head != null && !headCommitted) {
      head.write(new FileLayout().tail(file.schema(), Metadata.EMPTY).bytes());
      transaction.seal(headKey, head);
      headCommitted = true;
    }
  }

  @Override
  public void close() throws IOException {
    try (channel;
        arena) {
      if (head != null) {
        head.close();
      }
      if (copy != null) {
        copy.close();
      }
    }
  }

  /// A range of what was written, and where the file has it.
  private record MappedRange(long position, long fileOffset, long byteSize) {}
}
