package dev.quiver.store.blob.s3;

import dev.quiver.arrow.codec.Sha256;
import dev.quiver.store.blob.S3Options;
import dev.quiver.store.blob.folder.FilePermissions;
import dev.quiver.store.blob.folder.FolderBlobStore;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// The local folder of one store, reserved for this process. Each process takes the first free
/// folder, so a restarted one finds its previous folder.
///
/// @param lock the lock file, which is held open
/// @param scratch the store for staged uploads and other temporary files
/// @param whole complete blobs
/// @param partial blobs with some chunks
record CacheFolder(FileChannel lock, FolderBlobStore scratch, Path whole, Path partial) {

  private static final int NAME_LENGTH = 16;

  static CacheFolder claim(S3Options options) throws IOException {
    String store =
        Sha256.hex(options.endpoint() + "\n" + options.bucket() + "\n" + options.prefix());
    Files.createDirectories(options.cachePath(), FilePermissions.ofFolder(options.cachePath()));
    for (int number = 0; ; number++) {
      Path folder = options.cachePath().resolve(store.substring(0, NAME_LENGTH) + "-" + number);
      Files.createDirectories(folder, FilePermissions.ofFolder(folder));
      FileChannel channel =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (isLocked(channel)) {
        return open(channel, folder);
      }
      channel.close();
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      FileLock lock = channel.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private static CacheFolder open(FileChannel lock, Path folder) throws IOException {
    Path whole = Files.createDirectories(folder.resolve("whole"), FilePermissions.ofFolder(folder));
    Path partial =
        Files.createDirectories(folder.resolve("partial"), FilePermissions.ofFolder(folder));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(partial)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    return new CacheFolder(lock, FolderBlobStore.open(folder), whole, partial);
  }
}
