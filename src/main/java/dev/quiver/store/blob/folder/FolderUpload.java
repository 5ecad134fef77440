package dev.quiver.store.blob.folder;

import dev.quiver.store.blob.BlobUpload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// A file in `tmp` that gets its name by a link.
final class FolderUpload implements BlobUpload {

  private final FolderSpool spool;
  private final Path target;
  private final Folders folders;

  FolderUpload(FolderSpool spool, Path target, Folders folders) {
    this.spool = spool;
    this.target = target;
    this.folders = folders;
  }

  @Override
  public long position() {
    return spool.position();
  }

  @Override
  public void write(MemorySegment source) throws IOException {
    spool.write(source);
  }

  @Override
  public MemorySegment map(long byteOffset, long byteSize, Arena arena) throws IOException {
    return spool.map(byteOffset, byteSize, arena);
  }

  @Override
  public boolean commit() throws IOException {
    try {
      spool.complete(folders.syncs());
      Path folder = Objects.requireNonNull(target.getParent());
      folders.create(folder);
      boolean linked = link();
      // Also syncs if the key existed, so that the caller can rely on the existing blob.
      folders.sync(folder);
      return linked;
    } catch (IOException e) {
      throw FolderFailures.translated(e, spool.path());
    } finally {
      spool.end();
    }
  }

  @Override
  public void close() throws IOException {
    spool.close();
  }

  private boolean link() throws IOException {
    try {
      Files.createLink(target, spool.path());
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }
}
